internal import LibraryDatabase
internal import LibraryTracks
internal import MediaStore
internal import UserData

/// What is wrong with a library and stays wrong in a copy of it: no reason to refuse the copy.
package enum LibraryProblem: Hashable, Sendable, CustomStringConvertible {
  /// Products whose bytes are not those that were written; a reanalysis recomputes them.
  case damagedProducts(count: Int)
  /// A table of sums that triggers maintain and that is not what a count gives; only a repair mends it.
  case wrongSums(table: String)
  /// Rows that contradict each other or the schema; only a repair mends them.
  case damagedRows(String)

  package var description: String {
    switch self {
    case .damagedProducts(count: 1): "1 stored product is damaged"
    case .damagedProducts(let count): "\(count) stored products are damaged"
    case .wrongSums(let table): "\(table) does not match a recount"
    case .damagedRows(let text): "the library is damaged: \(text)"
    }
  }
}

extension LibraryProblem {
  /// What is wrong with the rows, if that is the problem.
  var damagedRow: String? { if case .damagedRows(let text) = self { text } else { nil } }

  /// Problems that can be mended by computing from the music or from other rows.
  ///
  /// Reads all products. Empty for older schemas, which have other tables.
  static func mendableProblems(_ db: Database) throws -> [LibraryProblem] {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") == LibraryHeader.currentVersion else { return [] }
    let count = try ProductCheck.damagedProductCount(db)
    return try (count > 0 ? [.damagedProducts(count: count)] : [])
      + KeptSums.wrongTables(db).map { .wrongSums(table: $0) }
  }

  /// Rows that contradict each other or the schema; only a repair mends them. Empty for older schemas.
  static func damagedRows(_ db: Database) throws -> [String] {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") == LibraryHeader.currentVersion else { return [] }
    let differences = try SchemaStructure.differences(db)
    guard differences.isEmpty else { return differences }
    return try DatabaseCheck.danglingReferences(db) + ImpossibleRows.find(db) + PresetJournal(db).problems(db)
  }
}

extension LibraryCopy {
  /// What is wrong with the copy, and so with the library. Of an older one only what can be mended: its rows were of another
  /// schema.
  func problems() throws(StoreError) -> [LibraryProblem] {
    try read { db in
      try LibraryProblem.mendableProblems(db)
        + (isMigrated ? [] : LibraryProblem.damagedRows(db).map { .damagedRows($0) })
    }
  }
}
