/// What became of the rows of one kind in a library that was merged into another.
package struct MergeCounts: Hashable, Sendable {
  /// Were not there.
  package var added = 0
  /// Were there already.
  package var same = 0
  /// Took the place of what was there: newer analyses, the content of files that could not be read here.
  package var replaced = 0
  /// Contradict what was there, each with a ``MergeConflict``.
  package var different = 0

  package init(added: Int = 0, same: Int = 0, replaced: Int = 0, different: Int = 0) {
    self.added = added
    self.same = same
    self.replaced = replaced
    self.different = different
  }

  package var isEmpty: Bool { self == MergeCounts() }
}
