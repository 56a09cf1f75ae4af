internal import Base
internal import GRDB

/// One command that changed presets or assignments.
package struct PresetChange: Hashable, Sendable {
  package var id: Int64
  /// Such as `assign Warm to 12 tracks`.
  package var summary: String
  /// Seconds since 1970.
  package var madeAt: Int64
  package var undoneAt: Int64?
}

extension MediaStore {
  /// The journal of presets and assignments, latest first.
  package func presetChanges(limit: Int = 100) throws(StoreError) -> [PresetChange] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, summary, made_at, undone_at FROM preset_change ORDER BY id DESC LIMIT ?",
        arguments: [max(0, limit)]
      ).map(Self.change)
    }
  }

  /// Undoes the latest change that is not undone yet; the next call undoes the one before.
  ///
  /// - Throws: ``StoreError/nothingToUndo``.
  package func undoPresetChange() throws(StoreError) -> PresetChange {
    try write(.durable) { db in
      guard
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT id, summary, made_at, undone_at FROM preset_change
             WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1
            """)
      else { throw StoreError.nothingToUndo }
      var change = try Self.change(row)
      let rows = try Row.fetchCursor(
        db,
        sql: "SELECT table_name, before, after FROM preset_change_row WHERE change_id = ? ORDER BY position DESC",
        arguments: [change.id])
      while let row = try rows.next() { try Self.restore(row, db) }
      change.undoneAt = now
      try db.execute(
        sql: "UPDATE preset_change SET undone_at = :now WHERE id = :id", arguments: ["id": change.id, "now": now])
      return change
    }
  }

  private static func change(_ row: Row) throws -> PresetChange {
    try PresetChange(id: row[0], summary: row[1], madeAt: row[2], undoneAt: row[3])
  }

  private static func restore(_ row: Row, _ db: Database) throws {
    let before = try json(row["before"])
    let after = try json(row["after"])
    let isPreset = try row["table_name"] == "preset"
    if isPreset, let row = before.flatMap(PresetRow.init(json:)) { return try row.save(db) }
    if isPreset, before == nil, let row = after.flatMap(PresetRow.init(json:)) { return try row.delete(db) }
    if !isPreset, let row = try before.flatMap(AssignmentRow.init(json:)).map({ try current($0, db) }) {
      return try row.save(db)
    }
    if !isPreset, before == nil, let row = after.flatMap(AssignmentRow.init(json:)) {
      return try current(row, db).delete(db)
    }
    throw DatabaseError(message: "the journal of presets contains a change that this version cannot read")
  }

  /// A row of the journal, for the hash that its recording has now.
  private static func current(_ row: AssignmentRow, _ db: Database) throws -> AssignmentRow {
    guard case .track(let hash, let label) = row.subject, let now = try FormerHashes.current(of: hash, db).first
    else { return row }
    return row.with(.track(now, label: label))
  }

  private static func json(_ text: String?) throws -> JSONValue? {
    try text.map { try JSONValue(parsing: Array($0.utf8)) }
  }
}
