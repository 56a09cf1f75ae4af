internal import GRDB
internal import MediaModel

extension MergeWriter {
  /// Adds presets and what they are assigned to.
  ///
  /// A library that never had presets gets them with their ids and their journal, as they are. In another one all that is
  /// added is one change in its own journal, so that it can be undone; the other journal comes along to be read.
  func mergePresets() throws {
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
    progress.report.presets.added += try copyRows(of: "preset")
    progress.report.assignments.added += try copyRows(of: "preset_assignment")
    progress.report.presetChanges.added += try copyRows(of: "preset_change")
    _ = try copyRows(of: "preset_change_row")
    // Ids of presets that were deleted are still meant by the journal, and not to be given again.
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

  /// - Returns: The ids here of presets there.
  private func mergePresetRows(_ editor: inout PresetEditor) throws -> [Int64: Int64] {
    var ids: [Int64: Int64] = [:]
    for row in try rows.all("SELECT \(PresetRow.columns) FROM preset ORDER BY id").map(PresetRow.init(row:)) {
      var (name, number) = (row.name, 1)
      var known = try preset(named: name)
      // One that comes with the program may be assigned here, and would be hidden.
      while known.map({ Self.content($0) != Self.content(row) }) ?? Self.isBuiltIn(name) {
        number += 1
        name = Self.numbered(row.name, number) { (try? PresetName($0)) != nil }
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

  /// What a preset is but for the name in its document, which nobody looks at.
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

  /// Adds assignments where there is none; those of this library stay.
  private func mergeAssignments(presetIDs: [Int64: Int64], _ editor: inout PresetEditor) throws {
    try rows.forEach("SELECT * FROM preset_assignment") { row in
      guard var incoming = try AssignmentRow(row: row) else { return }
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
