internal import GRDB
package import MediaModel

/// Saves what can be read of a damaged library into a new one; the damaged file is only read, and not by SQLite.
package struct LibraryRepair {
  let source: DamagedLibrary
  let catalog: LibraryCatalog
  var tables: [String: RepairReport.Table] = [:]
  var contradictions: [String] = []
  private var inserts: [String: Statement] = [:]

  /// - Parameter target: Where nothing is yet.
  /// - Throws: where nothing of a library is found, or the new one cannot be written; then there is none.
  package static func repair(_ path: BytePath, to target: BytePath) throws(StoreError) -> RepairReport {
    let (path, target) = (try LibraryPath.resolved(path), try LibraryPath.resolved(target))
    guard !LibraryPath.exists(target) else { throw RepairedLibrary.exists(target) }
    let file = try LibraryFile(at: path)
    defer { file.close() }
    guard try file.tryLock(.scan) else { throw .scanRunning(path, processID: nil, since: nil) }
    guard try file.lock(.writer, patience: .seconds(10)) else {
      throw .locked(path, byProcess: file.lockingProcess())
    }
    do {
      let pages = try PageSource(file)
      let catalog = try LibraryCatalog(pages)
      var repair = LibraryRepair(
        source: DamagedLibrary(pages, trees: catalog.trees, roots: catalog.roots), catalog: catalog)
      let library = try RepairedLibrary(for: target, catalog)
      try library.fill { try repair.fill($0) }
      guard catalog.missingNames.isEmpty || repair.tables.values.contains(where: { $0.rowCount > 0 }) else {
        throw StoreError.notALibrary(path, reason: "nothing of a library is left in it")
      }
      try library.finish()
      let check = try library.check()
      try library.take()
      return RepairReport(
        path: target, tables: repair.order.compactMap { repair.tables[$0.name] },
        hadForeignLog: pages.logUse == .foreign, contradictions: repair.contradictions, schemaVersion: catalog.version,
        check: check)
    } catch {
      throw StoreError(error, at: file)
    }
  }

  private init(source: DamagedLibrary, catalog: LibraryCatalog) {
    self.source = source
    self.catalog = catalog
  }

  /// What users decided, in the order in which it is saved: before everything else.
  static let userTables = [
    "preset", "preset_assignment", "preset_change", "preset_change_row", "list", "list_entry", "attribute",
  ]

  /// Tables that follow from others.
  private static let derivedTables: Set = [
    "file_tally", "audio_tally", "product_tally", "sqlite_sequence", "search_data", "search_idx", "search_content",
    "search_docsize", "search_config",
  ]

  /// Columns that triggers keep.
  private static let derivedColumns: Set = ["audio.file_count", "audio.present_count"]

  /// The tables whose rows are saved.
  private var order: [StoredTree] {
    let tables = catalog.trees.filter { $0.isTable && !Self.derivedTables.contains($0.name) }
    func rank(_ tree: StoredTree) -> Int { Self.userTables.firstIndex(of: tree.name) ?? Self.userTables.count }
    // Sounds before files, whose triggers count at them.
    let rest = tables.filter { !Self.userTables.contains($0.name) }
    return tables.filter { Self.userTables.contains($0.name) }.sorted { rank($0) < rank($1) }
      + rest.filter { $0.name == "audio" } + rest.filter { $0.name != "audio" }
  }

  private mutating func fill(_ db: Database) throws {
    for tree in order {
      tables[tree.name] = RepairReport.Table(name: tree.name, isOfUser: Self.userTables.contains(tree.name))
      try source.forEachRow(of: tree) { try save($0, db) }
    }
    try source.forEachOrphan { row in
      // What is there already is a newer version of the row.
      guard !Self.derivedTables.contains(row.tree.name), isTrustworthy(row) else { return }
      if try insert(row, db) { noteBrokenText(of: row) }
    }
    for tree in order {
      guard let damage = source.damage[tree.name] else { continue }
      tables[tree.name]?.lostPageCount = damage.lostPageCount
      tables[tree.name]?.lostRowCount += damage.lostRowCount
      tables[tree.name]?.gaps = damage.gaps
    }
    try rebuildFromIndexes(db)
    try rebuildFromJournal(db)
    try dropWhatBelongsToNothing(db)
    try settleJournal(db)
    try countFiles(db)
    try raiseSequences(db)
    try ImpossibleRows.mend(db)
    try count(db)
    inserts.removeAll()
  }

  /// Inserts a row as it is, unless it cannot have been written like that.
  mutating func save(_ row: StoredRow, _ db: Database) throws {
    let row = mended(row)
    guard isTrustworthy(row), try insert(row, db) else {
      tables[row.tree.name]?.lostRowCount += 1
      return
    }
    noteBrokenText(of: row)
  }

  private mutating func noteBrokenText(of row: StoredRow) {
    if row.values.contains(where: \.isBroken) { tables[row.tree.name]?.brokenRowCount += 1 }
  }

  /// false where the table refuses the row.
  ///
  /// - Parameter purpose: Of rows with other columns than those of the table.
  mutating func insert(_ row: StoredRow, _ db: Database, as purpose: String = "") throws -> Bool {
    let columns = zip(row.tree.columns, row.values).filter {
      !Self.derivedColumns.contains(row.tree.name + "." + $0.0.name)
    }
    let key = "\(row.tree.name) \(columns.count)\(purpose)"
    let statement: Statement
    if let known = inserts[key] {
      statement = known
    } else {
      statement = try db.makeStatement(
        sql: """
          INSERT INTO \(row.tree.name) (\(columns.map { "\"\($0.0.name)\"" }.joined(separator: ", ")))
          VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
          """)
      inserts[key] = statement
    }
    do {
      try statement.execute(arguments: StatementArguments(columns.map(\.1.databaseValue)))
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      return false
    }
  }

  /// A file whose texts are damaged is kept, and read again by the next scan.
  private func mended(_ row: StoredRow) -> StoredRow {
    guard row.tree.name == "file", row.values.contains(where: \.isBroken) else { return row }
    let values = zip(row.tree.columns, row.values).map { column, value -> StoredValue in
      switch column.name {
      case "last_state": .text(FileState.pending.rawValue)
      case "extractor_version": .integer(0)
      case "path_text", "name_text": value
      default: value.isBroken ? .text(value.text ?? "") : value
      }
    }
    return StoredRow(tree: row.tree, rowID: row.rowID, values: values)
  }

  /// Whether a row is worth saving: what a scan makes anew must be right, what users wrote is kept as far as it goes.
  private func isTrustworthy(_ row: StoredRow) -> Bool {
    if Self.userTables.contains(row.tree.name) { return true }
    guard !row.values.contains(where: \.isBroken) else { return false }
    switch row.tree.name {
    case "product_blob":
      guard let bytes = row["bytes"]?.blob else { return false }
      return row["checksum"]?.integer == Int64(CRC32.checksum(bytes))
    case "product": return row["kind"]?.text.flatMap(ProductKind.init(rawValue:)) != nil
    case "file", "root":
      return row["path"]?.blob.map { BytePath($0).displayString } == row["path_text"]?.text
    default: return true
    }
  }
}
