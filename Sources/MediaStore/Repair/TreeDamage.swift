/// What could not be read of a table or index where it should be.
struct TreeDamage: Hashable {
  var lostPageCount = 0
  /// Rows that are there, but cannot be read as rows of the table.
  var lostRowCount = 0
  /// Ids between which rows may have been.
  var gaps: [ClosedRange<Int64>] = []

  var isNone: Bool { lostPageCount == 0 && lostRowCount == 0 }
}
