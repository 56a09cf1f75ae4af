package import MediaModel

/// A recording that a user named by id, path or query.
package struct TrackReference: Hashable, Sendable {
  package var recordingID: Int64
  package var hash: ContentHash
  /// Absolute paths, the one that was named first, then those that are present, by path.
  package var files: [BytePath]
  /// Whether the decoding of the recording, or one of the files, was found to be damaged.
  package var isDamaged: Bool
  package var title: String?
  package var artist: String?
  /// Of the whole recording; its container is empty where nothing is known.
  package var format: MediaFormat
}
