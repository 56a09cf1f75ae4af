internal import Base
internal import Foundation
internal import GRDB
internal import MediaModel

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
      var subjects: [PresetSubject] = []
      while let row = try rows.next() {
        if let subject = try Self.restore(row, db), try Self.hasFormerHash(subject, db) { subjects.append(subject) }
      }
      change.undoneAt = now
      try db.execute(
        sql: "UPDATE preset_change SET undone_at = :now WHERE id = :id", arguments: ["id": change.id, "now": now])
      try Self.replay(subjects, db)
      return change
    }
  }

  private static func change(_ row: Row) throws -> PresetChange {
    try PresetChange(id: row[0], summary: row[1], madeAt: row[2], undoneAt: row[3])
  }

  /// Whether the journal may have changes of a recording under several hashes.
  private static func hasFormerHash(_ subject: PresetSubject, _ db: Database) throws -> Bool {
    guard case .track(let hash, _) = subject else { return false }
    return try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM former_hash WHERE current = ? AND is_key)"),
      arguments: [Data(hash.bytes)]) ?? false
  }

  /// Makes the assignments of recordings that were several what the journal says now: what a change was before it may
  /// be another recording's.
  private static func replay(_ subjects: [PresetSubject], _ db: Database) throws {
    guard !subjects.isEmpty else { return }
    let journal = try PresetJournal(db)
    for subject in subjects {
      guard let expected = journal.assignments[subject.withoutLabel] else { continue }
      if let expected { try expected.save(db) } else { try AssignmentRow.fetch(subject, db)?.delete(db) }
    }
  }

  /// - Returns: the subject of an assignment.
  @discardableResult
  private static func restore(_ row: Row, _ db: Database) throws -> PresetSubject? {
    let before = try json(row["before"])
    let after = try json(row["after"])
    let isPreset = try row["table_name"] == "preset"
    if isPreset, let row = before.flatMap(PresetRow.init(json:)) {
      try row.save(db)
      return nil
    }
    if isPreset, before == nil, let row = after.flatMap(PresetRow.init(json:)) {
      try row.delete(db)
      return nil
    }
    if !isPreset, let row = try before.flatMap(AssignmentRow.init(json:)).map({ try current($0, db) }) {
      try row.save(db)
      return row.subject
    }
    if !isPreset, before == nil, let row = after.flatMap(AssignmentRow.init(json:)) {
      let row = try current(row, db)
      try row.delete(db)
      return row.subject
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
