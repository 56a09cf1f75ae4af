internal import Base
internal import GRDB

/// Writes one change of presets and assignments within a transaction, and records it in the journal.
struct PresetEditor {
  let db: Database
  let now: Int64
  /// A description for people, as in `assign Warm to 12 tracks`.
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
    try record(.preset, before?.json, row.json)
  }

  mutating func remove(_ row: PresetRow) throws {
    try row.delete(db)
    try record(.preset, row.json, nil)
  }

  /// Adds an assignment to a subject that had none, with its time.
  mutating func add(_ row: AssignmentRow) throws {
    try row.save(db)
    try record(.presetAssignment, nil, row.json)
  }

  /// Changes an assignment; one that has no meaning any more is deleted.
  ///
  /// - Returns: whether it has changed.
  mutating func update(_ subject: PresetSubject, _ change: (inout AssignmentRow) -> Void) throws -> Bool {
    let before = try AssignmentRow.fetch(subject, db)
    var after = before ?? AssignmentRow(subject: subject, assignedAt: now)
    change(&after)
    guard before.map({ after != $0 }) ?? after.isMeant else { return false }
    after.subject = subject
    after.assignedAt = now
    if after.isMeant { try after.save(db) } else { try after.delete(db) }
    try record(.presetAssignment, before?.json, after.isMeant ? after.json : nil)
    return true
  }

  /// Deletes all assignments of a preset.
  mutating func removeAssignments(ofPreset id: Int64) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM preset_assignment WHERE preset_id = ?", arguments: [id])
    for row in try rows.compactMap(AssignmentRow.init(row:)) {
      // The switch stays as it is.
      _ = try update(row.subject) { $0.presetID = nil }
    }
  }

  /// Records the change of a preset that was made without this editor.
  mutating func note(_ before: PresetRow?, became after: PresetRow?) throws {
    try record(.preset, before?.json, after?.json)
  }

  /// Records the change of an assignment that was made without this editor.
  mutating func note(_ before: AssignmentRow?, became after: AssignmentRow?) throws {
    try record(.presetAssignment, before?.json, after?.json)
  }

  private mutating func record(_ table: UserTable, _ before: JSONValue?, _ after: JSONValue?) throws {
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
      "change": changeID, "position": position, "table": table.rawValue, "before": before?.text, "after": after?.text,
    ])
    position += 1
  }
}
