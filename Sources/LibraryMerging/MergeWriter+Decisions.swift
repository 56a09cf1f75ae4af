internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

extension MergeWriter {
  /// Adds what users decided.
  ///
  /// A library in which nobody decided anything gets it unchanged, with the ids and the journal. In any other library,
  /// everything that is added is one change in its own journal, which can be undone; the other journal is added for
  /// reading.
  mutating func mergeDecisions() throws {
    let persons = try rows.all("SELECT id, key, name FROM person ORDER BY id").map(Person.init(row:))
    progress.personIDs = try Person.ids(of: persons, db)
    // Rows are copied with the ids of their persons, which somebody else may have here.
    let isUntouched = try !hasDecisions() && progress.personIDs.allSatisfy { $0.key == $0.value }
    if isUntouched { try copyPresetsAndJournal() } else { try mergeChanges() }
    // What is copied has its changes in the journal that came along.
    var editor = JournalEditor(
      db, now: now, summary: isUntouched ? nil : "merge \(progress.report.path.displayString)")
    try mergeCorrections(&editor)
    try mergeAlbumChoices(&editor)
    let albumNames = try albumNames()
    if isUntouched { try renameCopiedAlbums(albumNames) }
    try mergeLists(keepingIDs: isUntouched, &editor)
    try mergeAttributes(&editor)
    try mergeGroupAttributes(albumNames, &editor)
    try mergePlays()
    try mergeQueues()
    try mergeFileChanges()
    if !isUntouched { try mergePresets(albumNames, &editor) }
    // What names a recording by a hash that it does not have here.
    let strangers = try Data.fetchAll(
      db,
      sql: """
        SELECT DISTINCT a.hash FROM preset_assignment AS a JOIN former_hash ON former_hash.hash = a.hash
         WHERE a.scope IN ('part', 'track') ORDER BY a.hash
        """)
    for hash in strangers.compactMap({ ContentHash(bytes: $0) }) {
      guard let current = try FormerHashes.current(of: hash, db).first else { continue }
      try decisions.moveAssignments(from: hash, to: current)
    }
    // Chosen covers came with the attributes.
    try AlbumWriter.settle(db)
  }

  private func hasDecisions() throws -> Bool {
    let tables: [UserTable] = [
      .preset, .presetAssignment, .list, .attribute, .groupAttribute, .albumChoice, .correction, .change,
    ]
    return try tables.contains { table in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table.rawValue))") == true
    }
  }

  private func copyPresetsAndJournal() throws {
    progress.report.presets.added += try copyRows(of: .preset)
    progress.report.assignments.added += try copyRows(of: .presetAssignment)
    progress.report.changes.added += try copyRows(of: .change)
    _ = try copyRows(of: .changeRow)
    // The journal still refers to the ids of deleted presets and lists, so they must not be used again.
    try rows.forEach("SELECT name, seq FROM sqlite_sequence WHERE name IN ('preset', 'list', 'change')") { row in
      try run("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1", [row[0] as String, row[1] as Int64])
      try run(
        """
        INSERT INTO sqlite_sequence (name, seq)
        SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
        """, [row[0] as String, row[1] as Int64])
    }
  }

  private func copyRows(of table: UserTable) throws -> Int {
    let columns = try TableColumns(of: table.rawValue, except: [], db)
    var count = 0
    try rows.forEach("SELECT \(columns.list) FROM \(table.rawValue)") { row in
      try run(
        "INSERT INTO \(table.rawValue) (\(columns.list)) VALUES (\(columns.parameters))",
        StatementArguments(columns.values(row, from: 0)))
      count += 1
    }
    return count
  }
}

extension MergeWriter {
  /// A row of a change, for comparing it with one of another library.
  private struct ChangedRow: Equatable {
    var table: String
    var before: JSONValue?
    var after: JSONValue?

    init(_ row: Row) throws {
      table = try row["table_name"]
      before = try Self.value(row["before"])
      after = try Self.value(row["after"])
    }

    /// Without ids, which have a meaning in one library only.
    private static func value(_ text: String?) throws -> JSONValue? {
      guard let text else { return nil }
      guard case .object(let members) = try JSONValue(parsing: Array(text.utf8)) else { return .string(text) }
      return .object(members.filter { $0.key != "id" && !$0.key.hasSuffix("_id") })
    }
  }

  /// What changes are found by, without an index.
  private struct ChangeKey: Hashable {
    var madeAt: Int64
    var summary: String
  }

  private static let rowsOfChange = """
    SELECT position, table_name, before, after FROM change_row WHERE change_id = ? ORDER BY position
    """

  /// Adds the journal of the other library, marked as undone: it shows what was done there, and undoing that here would
  /// change what was never done here.
  func mergeChanges() throws {
    var own = try ownChanges()
    for change in try rows.all("SELECT id, summary, made_at, undone_at FROM change ORDER BY id") {
      let changed = try rows.all(Self.rowsOfChange, [change[0] as Int64])
      let key = try ChangeKey(madeAt: change[2], summary: change[1])
      if let index = try index(of: changed.map(ChangedRow.init), among: own[key] ?? []) {
        // Each change can match only one of the other library.
        own[key]?.remove(at: index)
        progress.report.changes.same += 1
        continue
      }
      try run(
        "INSERT INTO change (summary, made_at, undone_at) VALUES (?, ?, ?)",
        [key.summary, key.madeAt, change[3] as Int64? ?? now])
      let id = db.lastInsertedRowID
      for row in changed {
        try run(
          "INSERT INTO change_row (change_id, position, table_name, before, after) VALUES (?, ?, ?, ?, ?)",
          [id, row[0] as Int, row[1] as String, row[2] as String?, row[3] as String?])
      }
      progress.report.changes.added += 1
    }
  }

  /// The ids of this library's changes, in order.
  private func ownChanges() throws -> [ChangeKey: [Int64]] {
    var ids: [ChangeKey: [Int64]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT id, made_at, summary FROM change ORDER BY id")
    while let row = try rows.next() {
      try ids[ChangeKey(madeAt: row[1], summary: row[2]), default: []].append(row[0])
    }
    return ids
  }

  /// The index of the change that has the same rows.
  private func index(of changed: [ChangedRow], among ids: [Int64]) throws -> Int? {
    try ids.firstIndex { id in
      let own = try Row.fetchAll(db.cachedStatement(sql: Self.rowsOfChange), arguments: [id])
      return try own.map(ChangedRow.init) == changed
    }
  }
}
