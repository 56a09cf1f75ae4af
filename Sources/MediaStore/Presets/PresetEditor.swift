internal import GRDB
internal import MediaModel

/// One change of presets and assignments on its way into the library, within a transaction: what it does is in the
/// journal, too.
struct PresetEditor {
  let db: Database
  let now: Int64
  /// For people, as `preset undo --list` shows it.
  var summary: String
  private var changeID: Int64?
  private var position: Int64 = 0

  init(_ db: Database, now: Int64, summary: String) {
    self.db = db
    self.now = now
    self.summary = summary
  }

  /// Inserts or replaces a row.
  mutating func put(_ row: PresetRow, insteadOf before: PresetRow?) throws {
    try row.save(db)
    try record("preset", before?.json, row.json)
  }

  mutating func remove(_ row: PresetRow) throws {
    try row.delete(db)
    try record("preset", row.json, nil)
  }

  /// Adds an assignment to what had none, with its time.
  mutating func add(_ row: AssignmentRow) throws {
    try row.save(db)
    try record("preset_assignment", nil, row.json)
  }

  /// Makes an assignment what `change` makes of it; one that then says nothing is deleted.
  ///
  /// - Returns: Whether that is another than before.
  mutating func update(_ subject: PresetSubject, _ change: (inout AssignmentRow) -> Void) throws -> Bool {
    let before = try AssignmentRow.fetch(subject, db)
    var after = before ?? AssignmentRow(subject: subject, assignedAt: now)
    change(&after)
    guard before.map({ after != $0 }) ?? after.isMeant else { return false }
    after.subject = subject
    after.assignedAt = now
    if after.isMeant { try after.save(db) } else { try after.delete(db) }
    try record("preset_assignment", before?.json, after.isMeant ? after.json : nil)
    return true
  }

  /// Deletes all assignments of a preset.
  mutating func removeAssignments(ofPreset id: Int64) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM preset_assignment WHERE preset_id = ?", arguments: [id])
    for row in try rows.compactMap(AssignmentRow.init(row:)) {
      // The switch stays.
      _ = try update(row.subject) { $0.presetID = nil }
    }
  }

  /// Writes down what became of a preset without this editor.
  mutating func note(_ before: PresetRow?, became after: PresetRow?) throws {
    try record("preset", before?.json, after?.json)
  }

  /// Writes down what became of an assignment without this editor.
  mutating func note(_ before: AssignmentRow?, became after: AssignmentRow?) throws {
    try record("preset_assignment", before?.json, after?.json)
  }

  private mutating func record(_ table: String, _ before: JSONValue?, _ after: JSONValue?) throws {
    if changeID == nil {
      try db.execute(sql: "INSERT INTO preset_change (summary, made_at) VALUES (?, ?)", arguments: [summary, now])
      changeID = db.lastInsertedRowID
    }
    try db.cachedStatement(
      sql: """
        INSERT INTO preset_change_row (change_id, position, table_name, before, after)
        VALUES (:change, :position, :table, :before, :after)
        """
    ).execute(arguments: [
      "change": changeID, "position": position, "table": table, "before": before?.text, "after": after?.text,
    ])
    position += 1
  }
}
