package import MediaModel

/// What was saved of a damaged library, and what was not.
package struct RepairReport: Hashable, Sendable {
  package struct Table: Hashable, Sendable {
    package var name: String
    /// Whether its rows hold what users decided.
    package var isOfUser: Bool
    /// In the new library.
    package var rowCount = 0
    /// Of those: rows that were made again from an index or the journal.
    package var rebuiltCount = 0
    /// Rows that are there, but damaged or without what they belong to.
    package var lostRowCount = 0
    /// Rows of what users decided that were saved with U+FFFD in place of bytes that are no UTF-8.
    package var brokenRowCount = 0
    package var lostPageCount = 0
    /// Ids among which rows may have been lost.
    package var gaps: [ClosedRange<Int64>] = []

    package var isWhole: Bool { !lacksRows && rebuiltCount == 0 && brokenRowCount == 0 }

    /// Whether not all of its rows could be read.
    var lacksRows: Bool { lostRowCount > 0 || lostPageCount > 0 }
  }

  /// The new library.
  package var path: BytePath
  package var tables: [Table]
  /// Whether a write-ahead log lay beside the library that belongs to another file.
  package var hadForeignLog: Bool
  /// Presets and assignments that are readable, and not what the journal says: they were kept as they were found.
  package var contradictions: [String]
  /// The schema that the library had.
  package var schemaVersion: Int
  /// Of the new library.
  package var check: LibraryCheck

  package var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }
  package var userRowCount: Int { tables.reduce(0) { $0 + ($1.isOfUser ? $1.rowCount : 0) } }
}
