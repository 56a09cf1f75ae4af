package import MediaModel

/// A recording that a user named by id, path or query.
package struct TrackReference: Hashable, Sendable {
  package var recordingID: Int64
  package var hash: ContentHash
  /// The one that was named first, then those that are present, by path.
  package var fileDetails: [FileDetail]
  /// Whether the decoding of the recording, or one of the files, was found to be damaged.
  package var isDamaged: Bool
  package var title: String?
  package var artist: String?
  /// Of the whole recording; its container is empty where nothing is known.
  package var format: MediaFormat

  /// Absolute paths, in that order.
  package var files: [BytePath] { fileDetails.map(\.path) }
}
