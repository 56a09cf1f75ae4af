internal import Base
internal import Foundation
internal import GRDB
internal import MediaModel

extension MergeWriter {
  /// Adds presets and their assignments.
  ///
  /// A library that never had presets gets them unchanged, with their ids and their journal. In any other library,
  /// everything that is added is one change in its own journal, which can be undone; the other journal is added for
  /// reading.
  mutating func mergePresets() throws {
    try addPresets()
    // What names a recording by a hash that it does not have here.
    let strangers = try Data.fetchAll(
      db,
      sql: """
        SELECT DISTINCT a.hash FROM preset_assignment AS a JOIN former_hash ON former_hash.hash = a.hash
         WHERE a.scope = 'track' ORDER BY a.hash
        """)
    for hash in strangers.compactMap({ ContentHash(bytes: $0) }) {
      guard let current = try FormerHashes.current(of: hash, db).first else { continue }
      try identities.moveAssignment(from: hash, to: current)
    }
  }

  private func addPresets() throws {
    let hasPresets = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM preset) OR EXISTS (SELECT 1 FROM preset_assignment)
            OR EXISTS (SELECT 1 FROM preset_change)
        """)
    guard hasPresets == true else { return try copyPresets() }
    try mergePresetChanges()
    let summary = "merge \(progress.report.path.displayString)"
    var editor = PresetEditor(db, now: now, summary: summary)
    let ids = try mergePresetRows(&editor)
    try mergeAssignments(presetIDs: ids, &editor)
  }

  private func copyPresets() throws {
    for table in UserTable.ofPresets {
      let count = try copyRows(of: table.rawValue)
      switch table {
      case .preset: progress.report.presets.added += count
      case .presetAssignment: progress.report.assignments.added += count
      case .presetChange: progress.report.presetChanges.added += count
      case .presetChangeRow, .list, .listEntry, .attribute, .formerHash: break
      }
    }
    // The journal still refers to the ids of deleted presets, so they must not be used again.
    try rows.forEach("SELECT name, seq FROM sqlite_sequence WHERE name IN ('preset', 'preset_change')") { row in
      try run("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1", [row[0] as String, row[1] as Int64])
      try run(
        """
        INSERT INTO sqlite_sequence (name, seq)
        SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
        """, [row[0] as String, row[1] as Int64])
    }
  }

  private func copyRows(of table: String) throws -> Int {
    let columns = try TableColumns(of: table, except: [], db)
    var count = 0
    try rows.forEach("SELECT \(columns.list) FROM \(table)") { row in
      try run(
        "INSERT INTO \(table) (\(columns.list)) VALUES (\(columns.parameters))",
        StatementArguments(columns.values(row, from: 0)))
      count += 1
    }
    return count
  }

  /// - Returns: the ids in this library, by those in the other one.
  private func mergePresetRows(_ editor: inout PresetEditor) throws -> [Int64: Int64] {
    var ids: [Int64: Int64] = [:]
    for row in try rows.all("SELECT \(PresetRow.columns) FROM preset ORDER BY id").map(PresetRow.init(row:)) {
      var (name, number) = (row.name, 1)
      var known = try preset(named: name)
      // A preset of the program may be assigned here, and would be hidden.
      while known.map({ Self.content($0) != Self.content(row) }) ?? Self.isBuiltIn(name) {
        number += 1
        name = NumberedName.name(row.name, number) { (try? PresetName($0)) != nil }
        known = try preset(named: name)
      }
      if let known {
        ids[row.id] = known.id
        progress.report.presets.same += 1
        continue
      }
      let last: Int64? = try first("SELECT max(seq) FROM sqlite_sequence WHERE name = 'preset'", [])?[0]
      var new = row
      new.id = (last ?? 0) + 1
      new.name = name
      try editor.put(new, insteadOf: nil)
      ids[row.id] = new.id
      guard number > 1 else {
        progress.report.presets.added += 1
        continue
      }
      progress.report.presets.different += 1
      progress.report.conflicts.append(.preset(row.name, newName: name))
    }
    return ids
  }

  /// The content of a preset without the name in its document, which is never read.
  private static func content(_ row: PresetRow) -> JSONValue {
    guard case .object(let members)? = try? JSONValue(parsing: Array(row.document.utf8)) else {
      return .string(row.document)
    }
    return .object(members.filter { $0.key != "name" })
  }

  private func preset(named name: String) throws -> PresetRow? {
    try first("SELECT \(PresetRow.columns) FROM preset WHERE name_key = ?", [PresetRow.key(name)])
      .map(PresetRow.init(row:))
  }

  private static func isBuiltIn(_ name: String) -> Bool {
    guard let name = try? PresetName(name) else { return false }
    return Preset.builtIn.contains { $0.name == name }
  }

  /// Adds assignments for subjects that have none; those of this library stay.
  private func mergeAssignments(presetIDs: [Int64: Int64], _ editor: inout PresetEditor) throws {
    try rows.forEach("SELECT * FROM preset_assignment") { row in
      guard var incoming = try AssignmentRow(row: row) else { return }
      if case .track(let hash, let label) = incoming.subject,
        let current = try FormerHashes.current(of: hash, db).first
      {
        incoming.subject = .track(current, label: label)
      }
      incoming.presetID = incoming.presetID.flatMap { presetIDs[$0] }
      guard let own = try AssignmentRow.fetch(incoming.subject, db) else {
        progress.report.assignments.added += 1
        return try editor.add(incoming)
      }
      guard own.presetID != incoming.presetID || own.builtIn != incoming.builtIn || own.isOn != incoming.isOn else {
        progress.report.assignments.same += 1
        return
      }
      progress.report.assignments.different += 1
      progress.report.conflicts.append(
        .assignment(incoming.subject, kept: try text(of: own), other: try text(of: incoming)))
    }
  }

  private func text(of row: AssignmentRow) throws -> String {
    let own = try row.presetID.flatMap { try first("SELECT name FROM preset WHERE id = ?", [$0]) }
    let name: String? = try own?[0] ?? row.builtIn
    return [name, row.isOn ? nil : "off"].compactMap { $0 }.joined(separator: ", ")
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
      return .object(members.filter { $0.key != "id" && $0.key != "preset_id" })
    }
  }

  /// What changes are found by, without an index.
  private struct ChangeKey: Hashable {
    var madeAt: Int64
    var summary: String
  }

  private static let rowsOfChange = """
    SELECT position, table_name, before, after FROM preset_change_row WHERE change_id = ? ORDER BY position
    """

  /// Adds the journal of the other library, marked as undone: it shows what was done there, and undoing that here would
  /// change what was never done here.
  func mergePresetChanges() throws {
    var own = try ownChanges()
    for change in try rows.all("SELECT id, summary, made_at, undone_at FROM preset_change ORDER BY id") {
      let changed = try rows.all(Self.rowsOfChange, [change[0] as Int64])
      let key = try ChangeKey(madeAt: change[2], summary: change[1])
      if let index = try index(of: changed.map(ChangedRow.init), among: own[key] ?? []) {
        // Each change can match only one of the other library.
        own[key]?.remove(at: index)
        progress.report.presetChanges.same += 1
        continue
      }
      try run(
        "INSERT INTO preset_change (summary, made_at, undone_at) VALUES (?, ?, ?)",
        [key.summary, key.madeAt, change[3] as Int64? ?? now])
      let id = db.lastInsertedRowID
      for row in changed {
        try run(
          "INSERT INTO preset_change_row (change_id, position, table_name, before, after) VALUES (?, ?, ?, ?, ?)",
          [id, row[0] as Int, row[1] as String, row[2] as String?, row[3] as String?])
      }
      progress.report.presetChanges.added += 1
    }
  }

  /// The ids of this library's changes, in order.
  private func ownChanges() throws -> [ChangeKey: [Int64]] {
    var ids: [ChangeKey: [Int64]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT id, made_at, summary FROM preset_change ORDER BY id")
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
