internal import Foundation
internal import GRDB
internal import MediaModel

extension LibraryCheck {
  /// What SQLite itself finds wrong with a file, all of which it reads.
  static func integrityProblems(_ db: Database, atMost count: Int) throws -> [String] {
    let answers = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(count))")
    guard answers != ["ok"] else { return [] }
    // One answer may have a heading and many lines.
    let lines = answers.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }.map(String.init)
    return lines.isEmpty ? ["SQLite did not check it to the end"] : lines
  }

  /// What is wrong and can be made anew from the music or from other rows: no reason to give up a copy that has it.
  ///
  /// Reads all products. Nothing for libraries of older schemas, which have other tables.
  static func mendableProblems(_ db: Database) throws -> [String] {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Migrations.currentVersion else { return [] }
    let count = try damagedProductCount(db)
    let products =
      switch count {
      case 0: [String]()
      case 1: ["1 stored product is damaged; `deadwax reanalyze --damaged` makes it anew"]
      default: ["\(count) stored products are damaged; `deadwax reanalyze --damaged` makes them anew"]
      }
    return try products
      + KeptSums.wrongTables(db).map { "\($0); `deadwax doctor --repair -o FILE` writes a library with right sums" }
  }

  /// Rows that contradict each other or the schema, which nothing but a repair puts right. Nothing for libraries of older
  /// schemas.
  static func damagedRows(_ db: Database) throws -> [String] {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Migrations.currentVersion else { return [] }
    let differences = try SchemaStructure(db).differences(from: SchemaStructure.fresh())
    guard differences.isEmpty else { return differences }
    return try danglingReferences(db) + ImpossibleRows.find(db) + PresetJournal(db).problems(db)
  }

  /// Rows that point to a row that is not there, as `table: count`.
  static func danglingReferences(_ db: Database) throws -> [String] {
    try Row.fetchAll(
      db, sql: "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1"
    ).map { "\(try $0[0] as String): \(try $0[1] as Int)" }
  }

  /// Products whose bytes are not what was written.
  static func damagedProductCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchCursor(db, sql: "SELECT checksum, bytes FROM product_blob")
    var count = 0
    while let row = try rows.next() {
      if try !isWhole(row) { count += 1 }
    }
    return count
  }

  /// Which products of a recording have other bytes than were written, or none.
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

  /// - Parameter row: A checksum, then the bytes; NULL where there are none.
  private static func isWhole(_ row: Row) throws -> Bool {
    guard let checksum: Int64 = try row[0] else { return false }
    return try row.withUnsafeData(atIndex: 1) { Int64(CRC32.checksum([UInt8]($0 ?? Data()))) == checksum }
  }
}
