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

  /// How far two lengths of one recording may lie apart: playlists have whole seconds, and not all programs count alike.
  static let toleranceInSeconds = 3.0

  /// Whether what is said of the track cannot be true of a file: it has another length, or neither the title nor the artist.
  /// What is not known contradicts nothing.
  func contradicts(title: String?, artist: String?, durationInSeconds: Double?) -> Bool {
    if let here = durationInSeconds, let there = self.durationInSeconds, abs(here - there) > Self.toleranceInSeconds {
      return true
    }
    return Self.differ(self.title, title) && Self.differ(self.artist, artist)
  }

  private static func differ(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other, !one.isEmpty, !other.isEmpty else { return false }
    return TextFolding.fold(one) != TextFolding.fold(other)
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
