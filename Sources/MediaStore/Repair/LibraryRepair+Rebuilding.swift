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
    try renameLists(db)
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

  /// The index has the names of lists, too.
  private mutating func renameLists(_ db: Database) throws {
    guard tables["list"]?.brokenRowCount ?? 0 > 0, let tree = source.trees["sqlite_autoindex_list_1"] else { return }
    let reader = DamagedLibrary(source.pages, trees: [tree], roots: catalog.roots)
    try reader.forEachRow(of: tree) { row in
      guard case .text(let name) = row["name"], let id = row["id"]?.integer else { return }
      try db.execute(
        sql: "UPDATE OR IGNORE list SET name = :name WHERE id = :id AND name <> :name AND instr(name, char(65533)) > 0",
        arguments: ["name": name, "id": id])
      tables["list"]?.rebuiltCount += db.changesCount
    }
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
    let areSomeLost = tables["preset"]?.lacksRows == true || tables["preset_assignment"]?.lacksRows == true
    let journal = try PresetJournal(db)
    for case let preset? in journal.presets.values where isWorthTaking(preset.hasBrokenText) {
      let saved = try PresetRow.fetch(preset.id, db)
      guard let row = try saved.map({ try mended($0, by: preset, db) }) ?? (areSomeLost ? preset : nil),
        Self.isReadable(row.document)
      else { continue }
      let isTaken = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM preset WHERE name_key = ? AND id <> ?)",
        arguments: [PresetRow.key(row.name), row.id])
      guard isTaken == false else { continue }
      try row.save(db)
      tables["preset"]?.rebuiltCount += 1
    }
    let areSomeBroken = tables["preset_assignment"]?.brokenRowCount ?? 0 > 0
    guard areSomeLost || areSomeBroken else { return }
    if areSomeBroken { try dropBrokenAssignments(journal, db) }
    for case let row? in journal.assignments.values where isWorthTaking(row.hasBrokenText) {
      let saved = try AssignmentRow.fetch(row.subject, db)
      guard saved == nil || (saved != row && saved?.hasBrokenText == true) else { continue }
      try row.save(db)
      tables["preset_assignment"]?.rebuiltCount += 1
    }
  }

  /// What a saved row must become; nil where nothing of it is certainly damaged. What can be read of it stays: the journal
  /// may have lost a later change.
  private func mended(_ saved: PresetRow, by written: PresetRow, _ db: Database) throws -> PresetRow? {
    let isReadable = Self.isReadable(saved.document) && !saved.document.hasReplacement
    let key = try String.fetchOne(db, sql: "SELECT name_key FROM preset WHERE id = ?", arguments: [saved.id])
    let isNamed = key == PresetRow.key(saved.name) && !saved.name.hasReplacement
    guard saved != written || !isNamed, !(isReadable && isNamed) else { return nil }
    var row = isReadable ? saved : written
    row.name = isNamed ? saved.name : written.name
    return row
  }

  /// U+FFFD may have been written; where the journal is damaged, too, it may stand for other bytes.
  private func isWorthTaking(_ hasBrokenText: Bool) -> Bool {
    !hasBrokenText || tables["preset_change_row"]?.brokenRowCount == 0
  }

  /// Drops assignments of which the text is damaged that says what they are about: a whole journal has the right ones.
  private func dropBrokenAssignments(_ journal: PresetJournal, _ db: Database) throws {
    guard tables["preset_change"]?.isWhole == true, tables["preset_change_row"]?.isWhole == true,
      journal.damaged.isEmpty
    else { return }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM preset_assignment").compactMap(AssignmentRow.init(row:))
    where row.hasBrokenText && journal.assignments[row.subject.withoutLabel] == nil {
      try row.delete(db)
    }
  }

  static func isReadable(_ document: String) -> Bool {
    (try? Preset(json: Array(document.utf8))) != nil
  }
}

extension String {
  /// Whether U+FFFD is in it, which stands where bytes were no UTF-8.
  fileprivate var hasReplacement: Bool { unicodeScalars.contains("\u{FFFD}") }
}

extension PresetRow {
  fileprivate var hasBrokenText: Bool { name.hasReplacement || document.hasReplacement }
}

extension AssignmentRow {
  fileprivate var hasBrokenText: Bool {
    let texts: [String?] =
      switch subject {
      case .track(_, let label): [label, builtIn]
      case .album(let album, let artist): [album, artist, builtIn]
      case .artist(let artist): [artist, builtIn]
      case .library: [builtIn]
      }
    return texts.contains { $0?.hasReplacement == true }
  }
}
