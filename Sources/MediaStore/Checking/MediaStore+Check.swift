internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MediaModel

extension MediaStore {
  /// Of SQLite, as it is on this machine.
  package static var databaseVersion: String { String(cString: sqlite3_libversion()) }

  /// Checks the whole library; reads all of its file.
  ///
  /// - Parameter isDeep: whether to compare the bytes of every product with their checksum, and the search index with the
  ///   texts, too.
  package func check(isDeep: Bool = false) throws(StoreError) -> LibraryCheck {
    var check = LibraryCheck(
      integrityProblems: [], danglingReferences: [], orphanCount: 0, artworkWithoutFileCount: 0,
      productsWithoutBytesCount: 0, staleProductCount: 0)
    // What SQLite cannot read to its end is damaged; the rest is looked at all the same.
    try look(&check) { db, check in
      check.integrityProblems = try LibraryCheck.integrityProblems(db, atMost: 100)
    }
    if check.integrityProblems.isEmpty {
      try look(&check) { db, check in check.integrityProblems = try KeptSums.wrongTables(db) }
    }
    try look(&check) { db, check in
      check.danglingReferences = try LibraryCheck.danglingReferences(db)
    }
    try look(&check) { db, check in
      check.schemaDifferences = try SchemaStructure(db).differences(from: SchemaStructure.fresh())
    }
    try look(&check) { db, check in
      check.orphanCount = try Self.orphanCount(db)
      check.artworkWithoutFileCount = try Self.count(
        db, "FROM artwork WHERE NOT EXISTS (SELECT 1 FROM file_artwork WHERE artwork_id = artwork.id)")
      check.productsWithoutBytesCount = try Self.count(
        db, "FROM product WHERE NOT EXISTS (SELECT 1 FROM product_blob WHERE product_id = product.id)")
      check.staleProductCount = try Self.staleCount(db)
    }
    try look(&check) { db, check in check.impossibleRows = try ImpossibleRows.find(db) }
    try look(&check) { db, check in check.journalProblems = try PresetJournal(db).problems(db) }
    try look(&check) { db, check in check.remarks = try remarks(db) }
    if isDeep {
      try look(&check) { db, check in check.damagedProductCount = try LibraryCheck.damagedProductCount(db) }
      try look(&check) { db, check in check.searchProblemCount = try SearchIndexCheck.wrongGroupCount(db) }
    }
    return check
  }

  /// Our own statements are refused only where a table is missing, or lacks what it should have.
  private func look(
    _ check: inout LibraryCheck, _ body: (Database, inout LibraryCheck) throws -> Void
  ) throws(StoreError) {
    let reason: String
    do { return try read { try body($0, &check) } } catch {
      switch error {
      case .corrupt(_, let text), .sql(_, let text, _): reason = text
      default: throw error
      }
    }
    if !check.integrityProblems.contains(reason) { check.integrityProblems.append(reason) }
  }

  /// What is no damage: presets that a newer version wrote, lists that ask for what there is not, leftovers.
  private func remarks(_ db: Database) throws -> [String] {
    var remarks: [String] = []
    for row in try Row.fetchAll(db, sql: "SELECT \(PresetRow.columns) FROM preset ORDER BY name_key") {
      let row = try PresetRow(row: row)
      do throws(PresetError) { _ = try Preset(json: Array(row.document.utf8)) } catch {
        remarks.append("preset \(row.name): this version cannot read it: \(error.description)")
      }
    }
    for row in try Row.fetchAll(db, sql: "SELECT name, query FROM list WHERE query IS NOT NULL ORDER BY name") {
      let vocabulary = QueryVocabulary(Self.fields) { _ in true }
      let (name, query): (String, String) = try (row[0], row[1])
      do throws(QueryError) { _ = try Query(query, vocabulary: vocabulary, now: now) } catch {
        remarks.append("list \(name): its query cannot be asked: \(error)")
      }
    }
    return remarks
      + LibraryLeftovers.names(beside: path).map { "left by a process that was killed: \($0.displayString)" }
  }

  private static func count(_ db: Database, _ source: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) " + source) ?? 0
  }

  /// By the kept sums, which are looked at by themselves.
  private static func staleCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchAll(db, sql: "SELECT kind, version, parameters, product_count FROM product_tally")
    return try rows.reduce(0) { sum, row in
      let isCurrent = try ProductKind(rawValue: row[0])
        .map { try ProductRecipe.current($0).accepts(version: row[1], parameters: row[2]) }
      return try sum + (isCurrent ?? false ? 0 : row[3])
    }
  }
}
