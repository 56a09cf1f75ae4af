package import MediaModel

/// What a merge is about to do; before each step it may be stopped.
package struct MergeStep: Hashable, Sendable {
  package var library: BytePath
  /// Recordings of that library.
  package var doneCount = 0
  /// Files of that library, which come when all recordings are there.
  package var doneFileCount = 0
  /// nil while the library is only read, to be checked or copied.
  package var totalCount: Int?
}
