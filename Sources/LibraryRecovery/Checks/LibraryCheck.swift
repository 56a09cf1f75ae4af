internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
package import MediaStore
internal import QueryLanguage
internal import UserData

/// The result of checking a library.
package struct LibraryCheck: Hashable, Sendable {
  /// SQLite's own findings, at most a hundred, and wrong sums; empty for an undamaged file.
  package var integrityProblems: [String]
  /// References to rows that do not exist, as `table: count`.
  package var danglingReferences: [String]
  /// Tables, indexes and triggers that differ from this version's.
  package var schemaDifferences: [String] = []
  /// Rows in a state that the program never writes, as `what: count`.
  package var impossibleRows: [String] = []
  /// Presets, assignments and changes of them that contradict each other or are not JSON.
  package var journalProblems: [String] = []
  /// Groups of files whose entries in the search index are wrong; nil if they were not checked.
  package var searchProblemCount: Int?
  /// Recordings without a file. They are kept on purpose, by `prune` too if a list or an attribute needs them.
  package var orphanCount: Int
  package var artworkWithoutFileCount: Int
  package var productsWithoutBytesCount: Int
  /// Products of another version.
  package var staleProductCount: Int
  /// Products whose bytes are not those that were written; nil if they were not checked.
  package var damagedProductCount: Int?
  /// Facts that are not damage: presets of a newer version, files that killed processes left beside the library.
  package var remarks: [String] = []

  /// Whether nothing is wrong. Orphans, stale products and remarks are not wrong.
  package var isSound: Bool { !needsRepair && !needsReanalysis }

  /// Whether something is wrong that a repair mends.
  package var needsRepair: Bool {
    !(integrityProblems.isEmpty && danglingReferences.isEmpty && schemaDifferences.isEmpty && impossibleRows.isEmpty
      && journalProblems.isEmpty && (searchProblemCount ?? 0) == 0 && artworkWithoutFileCount == 0)
  }

  /// Whether products are damaged. A reanalysis recomputes them if there is a file with their recording.
  package var needsReanalysis: Bool { productsWithoutBytesCount > 0 || (damagedProductCount ?? 0) > 0 }
}

extension MediaStore {
  /// Checks the whole library; reads the whole file.
  ///
  /// - Parameter isDeep: whether to also compare the bytes of every product with its checksum, and the search index
  ///   with the texts.
  package func check(isDeep: Bool = false) throws(StoreError) -> LibraryCheck {
    var check = LibraryCheck(
      integrityProblems: [], danglingReferences: [], orphanCount: 0, artworkWithoutFileCount: 0,
      productsWithoutBytesCount: 0, staleProductCount: 0)
    // A part that SQLite cannot read is damaged; the other parts are checked anyway.
    try look(&check) { db, check in
      check.integrityProblems = try DatabaseCheck.integrityProblems(db, atMost: 100)
    }
    if check.integrityProblems.isEmpty {
      try look(&check) { db, check in
        check.integrityProblems = try KeptSums.wrongTables(db).map { LibraryProblem.wrongSums(table: $0).description }
      }
    }
    try look(&check) { db, _ in try DatabaseCheck.readTexts(db) }
    try look(&check) { db, check in
      check.danglingReferences = try DatabaseCheck.danglingReferences(db)
    }
    try look(&check) { db, check in
      check.schemaDifferences = try SchemaStructure.differences(db)
    }
    try look(&check) { db, check in
      check.orphanCount = try Self.orphanCount(db)
      check.artworkWithoutFileCount = try Self.count(
        db, "FROM artwork WHERE NOT \(CoverSQL.isNeeded)")
      check.productsWithoutBytesCount = try Self.count(
        db, "FROM product WHERE NOT EXISTS (SELECT 1 FROM product_blob WHERE product_id = product.id)")
      check.staleProductCount = try Self.staleCount(db)
    }
    try look(&check) { db, check in check.impossibleRows = try ImpossibleRows.find(db) }
    try look(&check) { db, check in check.journalProblems = try PresetJournal(db).problems(db) }
    try look(&check) { db, check in check.remarks = try remarks(db) }
    if isDeep {
      try look(&check) { db, check in check.damagedProductCount = try ProductCheck.damagedProductCount(db) }
      try look(&check) { db, check in check.searchProblemCount = try SearchIndexCheck.wrongGroupCount(db) }
    }
    return check
  }

  /// Our own statements fail only if a table is missing or incomplete.
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

  /// Facts that are not damage: presets of a newer version, lists with queries that cannot run, files that
  /// were being written, leftover files.
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
        remarks.append("list \(name): its query cannot run: \(error)")
      }
    }
    let openCount = try Self.count(db, "FROM file_change_part WHERE state IN ('planned', 'undoing')")
    if openCount > 0 {
      remarks.append(
        "\(openCount == 1 ? "1 file was" : "\(openCount) files were") being written when a process was killed; the next "
          + "command that writes to the library finds out what became of them")
    }
    return warnings + remarks
      + LibraryLeftovers.names(beside: path).map { "left by a process that was killed: \($0.displayString)" }
  }

  private static func count(_ db: Database, _ source: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) " + source) ?? 0
  }

  /// Counted with the maintained sums, which have a check of their own.
  private static func staleCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchAll(db, sql: "SELECT kind, version, parameters, product_count FROM product_tally")
    return try rows.reduce(into: 0) { sum, row in
      let isCurrent = try ProductKind(rawValue: row[0])
        .map { try ProductRecipe.current($0).accepts(version: row[1], parameters: row[2]) }
      sum.add(count: try isCurrent ?? false ? 0 : row[3])
    }
  }
}
