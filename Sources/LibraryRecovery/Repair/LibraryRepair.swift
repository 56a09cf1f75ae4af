package import Base
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
package import MediaStore
internal import UserData

/// What a repair saved of a damaged library, and what it could not save.
package struct RepairReport: Hashable, Sendable {
  package struct Table: Hashable, Sendable {
    package var name: String
    /// Whether users made its rows.
    package var isOfUser: Bool
    /// The number of rows in the new library.
    package var rowCount = 0
    /// The number of these that were rebuilt from an index or the journal.
    package var rebuiltCount = 0
    /// Rows that are damaged or refer to lost rows.
    package var lostRowCount = 0
    /// Rows of users that were saved with U+FFFD instead of bytes that are not UTF-8.
    package var brokenRowCount = 0
    package var lostPageCount = 0
    /// Ranges of ids in which rows may have been lost.
    package var gaps: [ClosedRange<Int64>] = []

    package var isWhole: Bool { !lacksRows && rebuiltCount == 0 && brokenRowCount == 0 }

    /// Whether some rows could not be read.
    var lacksRows: Bool { lostRowCount > 0 || lostPageCount > 0 }
  }

  /// The path of the new library.
  package var path: BytePath
  package var tables: [Table]
  /// Whether the write-ahead log beside the library belongs to another file.
  package var hadForeignLog: Bool
  /// Presets and assignments that differ from the journal: they were kept as they were found.
  package var contradictions: [String]
  /// The schema version of the damaged library.
  package var schemaVersion: Int
  /// The check of the new library.
  package var check: LibraryCheck

  package var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }
  package var userRowCount: Int { tables.reduce(0) { $0 + ($1.isOfUser ? $1.rowCount : 0) } }
}

/// Saves what can be read of a damaged library into a new one. The damaged file is only read, and not through SQLite.
package struct LibraryRepair {
  let source: DamagedLibrary
  let schemaTable: SchemaTable
  var tables: [String: RepairReport.Table] = [:]
  var contradictions: [String] = []
  private var inserts: [String: Statement] = [:]

  /// - Parameter target: a path where there is no file.
  /// - Throws: if nothing of a library is found, or the new one cannot be written; then no file is left.
  package static func repair(_ path: BytePath, to target: BytePath) throws(StoreError) -> RepairReport {
    let (path, target) = (try LibraryPath.resolved(path), try LibraryPath.resolved(target))
    guard !LibraryPath.exists(target) else { throw RepairedLibrary.exists(target) }
    try LibraryPath.requireOutput(target)
    let file = try LibraryFile(at: path)
    defer { file.close() }
    guard try file.tryLock(.scan) else { throw .scanRunning(path, processID: nil, since: nil) }
    guard try file.lockForWriting(timeout: .seconds(10)) else {
      throw .locked(path, byProcess: file.lockingProcess())
    }
    // Of a repair to another name that was killed.
    LibraryLeftovers.removeAll(beside: path)
    do {
      let pages = try PageSource(file)
      let schemaTable = try SchemaTable(pages)
      var repair = LibraryRepair(
        source: DamagedLibrary(pages, trees: schemaTable.trees, roots: schemaTable.roots), schemaTable: schemaTable)
      let library = try RepairedLibrary(for: target, schemaTable)
      try library.fill { try repair.fill($0) }
      // Every new library has its owner.
      let hasRows = repair.tables.values.contains { $0.name != "person" && $0.rowCount > 0 }
      guard schemaTable.missingNames.isEmpty || hasRows else {
        throw StoreError.notALibrary(path, reason: Self.emptiness(pages))
      }
      try library.finish()
      let check = try library.check()
      try library.take()
      return RepairReport(
        path: target, tables: repair.order.compactMap { repair.tables[$0.name] },
        hadForeignLog: pages.logUse == .foreign, contradictions: repair.contradictions,
        schemaVersion: schemaTable.version,
        check: check)
    } catch {
      throw StoreError(error, at: file)
    }
  }

  /// Why no row is found: the pages may have another size, as `VACUUM` gives them on request.
  ///
  /// A first page that is damaged may claim any size, so this is only asked if nothing was found.
  private static func emptiness(_ pages: PageSource) -> String {
    let header = pages.page(1) ?? []
    guard header.starts(with: "SQLite format 3\0".utf8), let field = header.number32(at: 16).map({ $0 >> 16 }),
      field != BTreePage.size
    else { return "nothing of a library is left in it" }
    return """
      its pages have \(field == 1 ? 65_536 : field) bytes, and a repair reads pages of \(BTreePage.size); if it can be \
      opened, `sqlite3 FILE 'PRAGMA journal_mode = DELETE; PRAGMA page_size = \(BTreePage.size); VACUUM'` changes that
      """
  }

  private init(source: DamagedLibrary, schemaTable: SchemaTable) {
    self.source = source
    self.schemaTable = schemaTable
  }

  /// Tables that are computed from others, or belong to the file itself.
  private static let derivedTables: Set = [
    "file_tally", "audio_tally", "product_tally", "sqlite_sequence", "search_data", "search_idx", "search_content",
    "search_docsize", "search_config", "album_due", "correction_due", LogMark.table,
  ]

  /// Columns that triggers maintain.
  private static let derivedColumns: Set = ["audio.file_count", "audio.present_count", "file.bpm", "file.musical_key"]

  /// The tables whose rows are saved.
  private var order: [StoredTree] {
    let tables = schemaTable.trees.filter { $0.isTable && !Self.derivedTables.contains($0.name) }
    // What users made comes first: nothing else can bring it back.
    let ofUsers = UserTable.allCases.compactMap { table in tables.first { UserTable(named: $0.name) == table } }
    // Recordings come before files, whose triggers count at them.
    let rest = tables.filter { !$0.isOfUser }
    return ofUsers + rest.filter { $0.name == "audio" } + rest.filter { $0.name != "audio" }
  }

  private mutating func fill(_ db: Database) throws {
    // Of the new library, which takes the place of the damaged one.
    if try db.tableExists("person") { try db.execute(sql: "DELETE FROM person") }
    for tree in order {
      tables[tree.name] = RepairReport.Table(name: tree.name, isOfUser: tree.isOfUser)
      try source.forEachRow(of: tree) { try save($0, db) }
    }
    let sequences = try sequences()
    try source.forEachOrphan { row in
      // If the row exists already, that is a newer version.
      guard !Self.derivedTables.contains(row.tree.name), isTrustworthy(row) else { return }
      if try insert(row, db) { noteBrokenText(of: row) }
    }
    for tree in order {
      guard let damage = source.damage[tree.name] else { continue }
      tables[tree.name]?.lostPageCount = damage.lostPageCount
      tables[tree.name]?.lostRowCount += damage.lostRowCount
      tables[tree.name]?.gaps = damage.gaps
    }
    try rebuildPersons(db)
    try rebuildFromIndexes(db)
    try rebuildFromJournal(db)
    try dropWhatBelongsToNothing(db)
    try settleJournal(db)
    try countFiles(db)
    try raise(sequences, db)
    try ImpossibleRows.mend(db)
    if source.trees["own_tag"] != nil { try CorrectionWriter.settleAll(db) }
    // An older library gets its albums when it is migrated.
    if source.trees["album"]?.columns.contains(where: { $0.name == "loudness_lufs" }) == true {
      try AlbumWriter.settleAll(db)
      // Nothing cascades here.
      try db.execute(sql: "DELETE FROM former_album WHERE album_id NOT IN (SELECT id FROM album)")
    }
    try count(db)
    inserts.removeAll()
  }

  /// Inserts a row unless it cannot have been written like that.
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

  /// Inserts a row; false if the table refuses it.
  ///
  /// - Parameter purpose: a name for rows with other columns than the table.
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

  /// Keeps a file with damaged texts; the next scan reads it again.
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

  /// Whether to save a row: what a scan can recompute must be right, what users wrote is kept even if damaged.
  private func isTrustworthy(_ row: StoredRow) -> Bool {
    if row.tree.isOfUser { return true }
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

extension StoredTree {
  /// Whether it is a table whose rows users made.
  fileprivate var isOfUser: Bool { UserTable(named: name) != nil }
}
