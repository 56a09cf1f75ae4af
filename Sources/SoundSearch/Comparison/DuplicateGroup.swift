internal import Base
package import LibraryTracks
package import MediaModel
import MediaStore
package import SoundIndex

/// Files that hold one recording, or two recordings that have sound in common.
package struct DuplicateGroup: Sendable {
  package struct Member: Sendable {
    package var recordingID: Int64
    package var hash: ContentHash
    package var file: FileDetail
    package var quality: CopyQuality
    /// Why the file that is kept is better; nil for that file, and if nothing but the order of paths decides.
    package var reason: String?
    /// That reason as a code; nil if a plan of removals chose another file to keep.
    package var advantage: CopyQuality.Advantage?
    /// Whether the file has the very samples, or the very stream, of the one that is kept.
    package var isIdentical = false
    /// Of one recording: where in the file that is kept this one begins; nil if that is not known.
    package var offsetInSeconds: Double?

    /// Of equally good files the one is kept whose name is not that of a copy, then the first by path.
    var pathOrder: (Int, BytePath) { (CopyName.markCount(file.path), file.path) }
  }

  package var kind: SoundRelation.Kind
  /// Of one recording: the one to keep, then the others by path. Of another kind: of each recording the file that is kept, the
  /// longer one first.
  package var members: [Member]
  /// Of another kind than the same recording: where in the first file the second one begins.
  package var offsetInSeconds: Double?
  /// And how much of it they have in common.
  package var commonSeconds: Double?
}
