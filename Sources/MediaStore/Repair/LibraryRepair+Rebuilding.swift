internal import GRDB
internal import MediaModel

extension LibraryRepair {
  /// Makes rows again whose key is left in an index, where their table lost some: what hangs on them is then not lost.
  mutating func rebuildFromIndexes(_ db: Database) throws {
    let now = try Int64.fetchOne(db, sql: "SELECT unixepoch()") ?? 0
    try rebuild("root", from: "sqlite_autoindex_root_1", db) { row in
      guard let path = row["path"]?.blob else { return nil }
      return ["path": .blob(path), "path_text": .text(BytePath(path).displayString), "added_at": .integer(now)]
    }
    try rebuild("tag_name", from: "sqlite_autoindex_tag_name_1", db) { row in row["name"].map { ["name": $0] } }
    try rebuild("audio", from: "sqlite_autoindex_audio_1", db) { row in
      row["hash"].map { ["hash": $0, "state": .text(FileState.pending.rawValue), "added_at": .integer(now)] }
    }
    // A list without its row is one of given sounds, if it has any.
    try rebuild("list", from: "sqlite_autoindex_list_1", db) { row in
      row["name"].map { ["name": $0, "changed_at": .integer(now)] }
    }
    try rebuild("list_entry", from: "list_entry_by_audio", db) { row in
      Dictionary(zip(row.tree.columns.map(\.name), row.values), uniquingKeysWith: { first, _ in first })
    }
    if source.trees["list"] != nil {
      try db.execute(
        sql: """
          DELETE FROM list WHERE query IS NULL AND changed_at = :now
             AND NOT EXISTS (SELECT 1 FROM list_entry WHERE list_id = list.id)
          """, arguments: ["now": now])
    }
    // The next scan reads the files of such sounds again.
    try db.execute(
      sql: """
        UPDATE file SET last_state = 'pending', extractor_version = 0
         WHERE audio_id IN (SELECT id FROM audio WHERE state = 'pending' AND decoded_frames IS NULL)
        """)
  }

  private mutating func rebuild(
    _ name: String, from index: String, _ db: Database, _ columns: (StoredRow) -> [String: StoredValue]?
  ) throws {
    guard tables[name]?.isWhole == false, let table = source.trees[name], let tree = source.trees[index] else { return }
    let reader = DamagedLibrary(source.pages, trees: [tree], roots: catalog.roots)
    try reader.forEachRow(of: tree) { row in
      guard var values = columns(row), !row.values.contains(where: \.isBroken) else { return }
      if let alias = table.rowIDColumn { values[alias] = row[alias] }
      let present = table.columns.filter { values[$0.name] != nil }
      let made = StoredRow(
        tree: StoredTree(
          name: name, tableName: name, isTable: true, isKeyed: table.isKeyed, columns: present,
          rowIDColumn: table.rowIDColumn),
        rowID: nil, values: present.compactMap { values[$0.name] })
      if try insert(made, db, as: " rebuilt") { tables[name]?.rebuiltCount += 1 }
    }
  }

  /// Makes presets and assignments again that are lost or cannot be read, as their last change left them.
  mutating func rebuildFromJournal(_ db: Database) throws {
    guard source.trees["preset_change"] != nil else { return }
    let isWhole = tables["preset"]?.isWhole == true && tables["preset_assignment"]?.isWhole == true
    let journal = try PresetJournal(db)
    for case let preset? in journal.presets.values {
      let document = try String.fetchOne(db, sql: "SELECT document FROM preset WHERE id = ?", arguments: [preset.id])
      guard document.map({ !Self.isReadable($0) }) ?? !isWhole, Self.isReadable(preset.document) else { continue }
      let isTaken = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM preset WHERE name_key = ? AND id <> ?)",
        arguments: [PresetRow.key(preset.name), preset.id])
      guard isTaken == false else { continue }
      try preset.save(db)
      tables["preset"]?.rebuiltCount += 1
    }
    guard !isWhole else { return }
    for case let row? in journal.assignments.values {
      guard try AssignmentRow.fetch(row.subject, db) == nil else { continue }
      try row.save(db)
      tables["preset_assignment"]?.rebuiltCount += 1
    }
  }

  static func isReadable(_ document: String) -> Bool {
    (try? Preset(json: Array(document.utf8))) != nil
  }
}
