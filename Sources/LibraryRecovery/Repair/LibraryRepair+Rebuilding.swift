internal import Base
internal import LibraryDatabase
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

extension LibraryRepair {
  /// Rebuilds lost rows whose key is still in an index, so that rows that refer to them are not lost.
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
    // A list whose row is lost becomes one of given recordings, if it has any.
    try rebuild("list", from: "sqlite_autoindex_list_1", db) { row in
      row["name"].map { name in
        ["name": name, "changed_at": .integer(now)].merging(row["person_id"].map { ["person_id": $0] } ?? [:]) { $1 }
      }
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
    // The next scan reads the files of such recordings again.
    try db.execute(
      sql: """
        UPDATE file SET last_state = 'pending', extractor_version = 0
         WHERE audio_id IN (SELECT id FROM audio WHERE state = 'pending' AND decoded_frames IS NULL)
        """)
  }

  /// Rebuilds lost persons: the owner, and those to whom lists, attributes or plays belong.
  mutating func rebuildPersons(_ db: Database) throws {
    guard try db.tableExists("person") else { return }
    try rebuild("person", from: "sqlite_autoindex_person_1", db) { row in
      guard let key = row["key"], let id = row["id"]?.integer else { return nil }
      return ["key": key, "name": .text(id == Person.ownerID ? "owner" : "person \(id)")]
    }
    // Older schemas have only some of the tables.
    let owned = try ["list", "attribute", "play", "group_attribute", "play_queue"].filter { try db.tableExists($0) }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO person (id, key, name)
          SELECT id, randomblob(16), iif(id = 1, 'owner', 'person ' || id)
            FROM (SELECT 1 AS id\(owned.map { " UNION SELECT person_id FROM \($0)" }.joined()))
           WHERE id NOT IN (SELECT id FROM person)
        """)
  }

  /// Restores damaged names of lists from the index.
  private mutating func renameLists(_ db: Database) throws {
    guard tables["list"]?.brokenRowCount ?? 0 > 0, let tree = source.trees["sqlite_autoindex_list_1"] else { return }
    let reader = DamagedLibrary(source.pages, trees: [tree], roots: schemaTable.roots)
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
    let reader = DamagedLibrary(source.pages, trees: [tree], roots: schemaTable.roots)
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

  /// Rebuilds presets and assignments that are lost or unreadable, as their last change left them.
  mutating func rebuildFromJournal(_ db: Database) throws {
    guard try UserTable.change.name(in: db) != nil else { return }
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
      let saved = try AssignmentRow.fetch(row.key, db)
      guard saved == nil || (saved != row && saved?.hasBrokenText == true) else { continue }
      try row.save(db)
      tables["preset_assignment"]?.rebuiltCount += 1
    }
  }

  /// The mended form of a saved row; nil if it is not certainly damaged. What can be read of it stays, because the
  /// journal may have lost a later change.
  private func mended(_ saved: PresetRow, by written: PresetRow, _ db: Database) throws -> PresetRow? {
    let isReadable = Self.isReadable(saved.document) && !saved.document.hasReplacement
    let key = try String.fetchOne(db, sql: "SELECT name_key FROM preset WHERE id = ?", arguments: [saved.id])
    let isNamed = key == PresetRow.key(saved.name) && !saved.name.hasReplacement
    guard saved != written || !isNamed, !(isReadable && isNamed) else { return nil }
    var row = isReadable ? saved : written
    row.name = isNamed ? saved.name : written.name
    return row
  }

  /// U+FFFD may have been written by the user; if the journal is damaged, too, it may stand for other bytes.
  private func isWorthTaking(_ hasBrokenText: Bool) -> Bool {
    !hasBrokenText || table(.changeRow)?.brokenRowCount == 0
  }

  /// Deletes assignments with a damaged subject: a complete journal has the right ones.
  private func dropBrokenAssignments(_ journal: PresetJournal, _ db: Database) throws {
    guard table(.change)?.isWhole == true, table(.changeRow)?.isWhole == true,
      journal.damaged.isEmpty
    else { return }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM preset_assignment").compactMap(AssignmentRow.init(row:))
    where row.hasBrokenText && journal.assignments[row.key.withoutLabel] == nil {
      try row.delete(db)
    }
  }

  /// What was saved of a table, whatever its name in the schema of the damaged library.
  private func table(_ table: UserTable) -> RepairReport.Table? {
    tables[table.rawValue] ?? table.formerName.flatMap { tables[$0] }
  }

  static func isReadable(_ document: String) -> Bool {
    (try? Preset(json: Array(document.utf8))) != nil
  }
}

extension String {
  /// Whether it contains U+FFFD, which replaces bytes that are not UTF-8.
  fileprivate var hasReplacement: Bool { unicodeScalars.contains("\u{FFFD}") }
}

extension PresetRow {
  fileprivate var hasBrokenText: Bool { name.hasReplacement || document.hasReplacement }
}

extension AssignmentRow {
  fileprivate var hasBrokenText: Bool {
    let texts: [String?] =
      switch subject {
      case .track(_, let label), .part(_, _, let label): [label, builtIn]
      case .album(let album, let artist): [album, artist, builtIn]
      case .artist(let artist): [artist, builtIn]
      case .library: [builtIn]
      }
    return texts.contains { $0?.hasReplacement == true }
  }
}

extension LibraryRepair {
  /// Makes the journal of presets agree with the saved rows. Changes that cannot be read cannot be undone and are
  /// deleted. Other differences become a new change, so that an undo restores the journal's version.
  mutating func settleJournal(_ db: Database) throws {
    guard let changes = try UserTable.change.name(in: db), let changeRows = try UserTable.changeRow.name(in: db)
    else { return }
    for change in try PresetJournal(db).damaged.keys.sorted() {
      try drop(changeRows, where: "change_id = \(change)", db)
      try drop(changes, where: "id = \(change)", db)
    }
    try settleNames(db)
    let now = try Int64.fetchOne(db, sql: "SELECT unixepoch()") ?? 0
    var editor = JournalEditor(db, now: now, summary: "repair of a damaged library")
    let journal = try PresetJournal(db)
    for (id, written) in journal.presets.sorted(by: { $0.key < $1.key }) {
      let saved = try PresetRow.fetch(id, db)
      guard saved != written else { continue }
      try editor.note(written, became: saved)
      contradictions.append("preset \((saved ?? written)?.name ?? "\(id)")")
    }
    for (key, written) in journal.assignments.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let saved = try AssignmentRow.fetch(key, db)
      guard saved != written else { continue }
      try editor.note(written, became: saved)
      contradictions.append("the assignment of \(written?.subject ?? key.subject)")
    }
  }

  /// Corrects the keys of presets, which follow from their names.
  private func settleNames(_ db: Database) throws {
    for row in try Row.fetchAll(db, sql: "SELECT \(PresetRow.columns), name_key FROM preset ORDER BY id") {
      var preset = try PresetRow(row: row)
      guard try row["name_key"] != PresetRow.key(preset.name) else { continue }
      var number = 1
      while try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM preset WHERE name_key = ? AND id <> ?)",
        arguments: [PresetRow.key(preset.name), preset.id]) == true
      {
        number += 1
        preset.name = try NumberedName.name(row["name"], number) { (try? PresetName($0)) != nil }
      }
      try preset.save(db)
    }
  }
}
