package import MediaModel

/// Where a merge stands between two transactions.
package struct MergeStep: Hashable, Sendable {
  package var library: BytePath
  /// Recordings of that library.
  package var doneCount = 0
  package var totalCount: Int
}
