internal import Base
internal import Foundation
internal import GRDB
internal import MediaModel

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
    case .wrongSums(let table): "\(table) is not what a count gives"
    case .damagedRows(let text): "the library is damaged: \(text)"
    }
  }
}

/// Checks of an open database that check, backup and merge have in common.
enum DatabaseCheck {
  /// Problems that SQLite's own check of the whole file finds.
  static func integrityProblems(_ db: Database, atMost count: Int) throws -> [String] {
    let answers = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(count))")
    guard answers != ["ok"] else { return [] }
    // One answer may consist of a heading and many lines.
    let lines = answers.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }.map(String.init)
    return lines.isEmpty ? ["SQLite did not check it to the end"] : lines
  }

  /// Problems that can be mended by computing from the music or from other rows.
  ///
  /// Reads all products. Empty for older schemas, which have other tables.
  static func mendableProblems(_ db: Database) throws -> [LibraryProblem] {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") == LibraryHeader.currentVersion else { return [] }
    let count = try damagedProductCount(db)
    return try (count > 0 ? [.damagedProducts(count: count)] : [])
      + KeptSums.wrongTables(db).map { .wrongSums(table: $0) }
  }

  /// Rows that contradict each other or the schema; only a repair mends them. Empty for older schemas.
  static func damagedRows(_ db: Database) throws -> [String] {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") == LibraryHeader.currentVersion else { return [] }
    let differences = try SchemaStructure.differences(db)
    guard differences.isEmpty else { return differences }
    return try danglingReferences(db) + ImpossibleRows.find(db) + PresetJournal(db).problems(db)
  }

  /// Reads each text once, because SQLite's own check does not notice those that it then refuses to read.
  static func readTexts(_ db: Database) throws {
    let columns = try Row.fetchAll(
      db,
      sql: """
        SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND columns.type = 'TEXT'
        """
    ).map { try (table: $0[0] as String, column: $0[1] as String) }
    for (table, columns) in Dictionary(grouping: columns, by: \.table) {
      // Never true, but only the text itself shows that.
      let tests = columns.map { "\($0.column.quotedDatabaseIdentifier) = x''" }.joined(separator: " OR ")
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier) WHERE \(tests)")
    }
  }

  /// References to rows that do not exist, as `table: count`.
  static func danglingReferences(_ db: Database) throws -> [String] {
    try Row.fetchAll(
      db, sql: "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1"
    ).map { "\(try $0[0] as String): \(try $0[1] as Int)" }
  }

  /// Counts the products whose bytes are not those that were written.
  static func damagedProductCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchCursor(db, sql: "SELECT checksum, bytes FROM product_blob")
    var count = 0
    while let row = try rows.next() {
      if try !isWhole(row) { count += 1 }
    }
    return count
  }

  /// The kinds among `kinds` whose stored bytes are missing or not those that were written.
  static func damagedKinds(
    among kinds: Set<ProductKind>, ofRecording id: Int64, _ db: Database
  ) throws -> Set<ProductKind> {
    let statement = try db.cachedStatement(
      sql: """
        SELECT checksum, bytes FROM product LEFT JOIN product_blob ON product_id = product.id
         WHERE audio_id = ? AND kind = ?
        """)
    return try kinds.filter { kind in
      let rows = try Row.fetchCursor(statement, arguments: [id, kind.rawValue])
      return try rows.next().map { try !isWhole($0) } ?? false
    }
  }

  /// - Parameter row: A checksum, then the bytes; NULL if there are none.
  private static func isWhole(_ row: Row) throws -> Bool {
    guard let checksum: Int64 = try row[0] else { return false }
    return try row.withUnsafeData(atIndex: 1) { Int64(CRC32.checksum([UInt8]($0 ?? Data()))) == checksum }
  }
}
