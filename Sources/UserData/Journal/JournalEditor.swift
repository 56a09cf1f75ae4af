internal import Base
package import LibraryDatabase
package import MediaStore

/// Writes one change of what users decide within a transaction, and records it in the journal.
package struct JournalEditor {
  package let db: Database
  package let now: Int64
  /// A description for people, as in `assign Warm to 12 tracks`; nil if the change needs no entry in the journal.
  package var summary: String?
  private var changeID: Int64?
  private var position: Int64 = 0

  package init(_ db: Database, now: Int64, summary: String?) {
    self.db = db
    self.now = now
    self.summary = summary
  }

  /// Inserts or replaces a row.
  package mutating func put<Row: JournalledRow>(_ row: Row, insteadOf before: Row?) throws {
    try row.save(db)
    try note(before, became: row)
  }

  package mutating func remove(_ row: some JournalledRow) throws {
    try row.delete(db)
    try note(row, became: nil)
  }

  /// Records a change that was made without this editor.
  package mutating func note<Row: JournalledRow>(_ before: Row?, became after: Row?) throws {
    guard let summary else { return }
    if changeID == nil {
      let change = try UserTable.change.name(in: db) ?? UserTable.change.rawValue
      try db.execute(sql: "INSERT INTO \(change) (summary, made_at) VALUES (?, ?)", arguments: [summary, now])
      changeID = db.lastInsertedRowID
    }
    let changeRow = try UserTable.changeRow.name(in: db) ?? UserTable.changeRow.rawValue
    try db.cachedStatement(
      sql: """
        INSERT INTO \(changeRow) (change_id, position, table_name, before, after)
        VALUES (:change, :position, :table, :before, :after)
        """
    ).execute(arguments: [
      "change": changeID, "position": position, "table": Row.table.rawValue, "before": before?.json.text,
      "after": after?.json.text,
    ])
    position += 1
  }
}

extension JournalEditor {
  /// Changes an assignment; one that has no meaning any more is deleted.
  ///
  /// - Returns: whether it has changed.
  package mutating func update(_ key: AssignmentKey, _ change: (inout AssignmentRow) -> Void) throws -> Bool {
    let before = try AssignmentRow.fetch(key, db)
    var after = before ?? AssignmentRow(key: key, assignedAt: now)
    change(&after)
    guard before.map({ after != $0 }) ?? after.isMeant else { return false }
    after.key = key
    after.assignedAt = now
    if after.isMeant { try after.save(db) } else { try after.delete(db) }
    try note(before, became: after.isMeant ? after : nil)
    return true
  }

  /// Deletes all assignments of a preset.
  mutating func removeAssignments(ofPreset id: Int64) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM preset_assignment WHERE preset_id = ?", arguments: [id])
    for row in try rows.compactMap(AssignmentRow.init(row:)) {
      // The switch stays as it is.
      _ = try update(row.key) { $0.presetID = nil }
    }
  }
}

extension MediaStore {
  /// Writes a change and its journal entry; both are on the disk when this returns.
  package func edit<Value>(
    _ summary: String, _ body: (inout JournalEditor) throws -> Value
  ) throws(StoreError) -> Value {
    try write(.durable) { db in
      var editor = JournalEditor(db, now: now, summary: summary)
      return try body(&editor)
    }
  }
}
