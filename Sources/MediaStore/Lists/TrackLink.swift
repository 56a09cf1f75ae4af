package import MediaModel

/// What is known of a track elsewhere, to find it in this library.
package struct TrackDescription: Hashable, Sendable {
  /// Absolute paths that it may have, the likeliest first.
  package var paths: [BytePath]
  package var hash: String?
  package var title: String?
  package var artist: String?
  package var durationInSeconds: Double?

  package init(
    paths: [BytePath], hash: String? = nil, title: String? = nil, artist: String? = nil,
    durationInSeconds: Double? = nil
  ) {
    self.paths = paths
    self.hash = hash
    self.title = title
    self.artist = artist
    self.durationInSeconds = durationInSeconds
  }
}

/// How a track was found.
package enum TrackLink: Hashable, Sendable {
  case path(recordingID: Int64)
  case hash(recordingID: Int64)
  case tags(recordingID: Int64)

  package var recordingID: Int64 {
    switch self {
    case .path(let id), .hash(let id), .tags(let id): id
    }
  }
}
