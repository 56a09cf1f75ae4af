internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore

/// One command that changed presets, assignments, lists, attributes or corrections.
package struct JournalChange: Hashable, Sendable {
  package var id: Int64
  /// Such as `assign Warm to 12 tracks`.
  package var summary: String
  /// Seconds since 1970.
  package var madeAt: Int64
  package var undoneAt: Int64?
  /// Rows that an undo could not restore, because their recording, list or preset is no longer in the library.
  package var lostRowCount = 0
}

/// The changes that users made, each of which can be undone.
package struct Journal {
  let store: MediaStore
}

extension MediaStore {
  /// Its changes.
  package var journal: Journal { Journal(store: self) }
}

extension Journal {
  /// The journal of what users decided, latest first.
  package func changes(limit: Int = 100) throws(StoreError) -> [JournalChange] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, summary, made_at, undone_at FROM change ORDER BY id DESC LIMIT ?",
        arguments: [max(0, limit)]
      ).map(Self.change)
    }
  }

  /// Undoes the latest change that is not undone yet; the next call undoes the one before.
  ///
  /// - Parameter personID: whose change; nil for anybody's. What concerns more than one person is the owner's.
  /// - Throws: ``StoreError/nothingToUndo``.
  package func undo(of personID: Int64? = nil) throws(StoreError) -> JournalChange {
    try store.write(.durable) { db in
      guard
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT id, summary, made_at, undone_at FROM change
             WHERE undone_at IS NULL AND (:person IS NULL OR \(Self.isOfPerson))
             ORDER BY id DESC LIMIT 1
            """, arguments: ["person": personID])
      else { throw StoreError.nothingToUndo }
      var change = try Self.change(row)
      let rows = try Row.fetchCursor(
        db,
        sql: "SELECT table_name, before, after FROM change_row WHERE change_id = ? ORDER BY position DESC",
        arguments: [change.id])
      var keys: [AssignmentKey] = []
      var hasChoices = false
      while let row = try rows.next() {
        let table = try UserTable(rawValue: row["table_name"])
        // What was decided about albums goes back to those that are there again.
        if hasChoices, table != .albumChoice {
          try CorrectionWriter.settle(db)
          try AlbumWriter.settle(db)
          hasChoices = false
        }
        switch table {
        case .preset: try Self.restore(PresetRow.self, row, &change, db)
        case .presetAssignment:
          let restored = try Self.restore(AssignmentRow.self, row, &change, db)
          if let key = restored?.key, try Self.hasFormerHash(key.subject, db) { keys.append(key) }
        case .list: try Self.restore(SavedListRow.self, row, &change, db)
        case .listEntry: try Self.restore(ListEntryRow.self, row, &change, db)
        case .attribute: try Self.restore(AttributeRow.self, row, &change, db)
        case .groupAttribute: try Self.restore(GroupAttributeRow.self, row, &change, db)
        case .albumChoice:
          try Self.restore(AlbumChoiceRow.self, row, &change, db)
          hasChoices = true
        case .correction: try Self.restore(CorrectionRow.self, row, &change, db)
        default: throw Self.unreadable
        }
      }
      change.undoneAt = store.now
      try db.execute(
        sql: "UPDATE change SET undone_at = :now WHERE id = :id", arguments: ["id": change.id, "now": store.now])
      try Self.replay(keys, db)
      return change
    }
  }

  /// Whether a change is one of `:person`. A row that names nobody is the owner's, and one of a list that is gone nobody's
  /// until the list is there again.
  private static let isOfPerson = """
    CASE :person WHEN \(Person.ownerID)
         THEN EXISTS (SELECT 1 FROM (\(people)) WHERE person = \(Person.ownerID))
         ELSE NOT EXISTS (SELECT 1 FROM (\(people)) WHERE person <> :person) END
    """

  private static let people = """
    SELECT coalesce(
             json_extract(coalesce(after, before), '$.person_id'),
             CASE table_name WHEN 'list_entry'
                  THEN coalesce((SELECT person_id FROM list
                                  WHERE id = json_extract(coalesce(after, before), '$.list_id')), 0)
                  ELSE \(Person.ownerID) END) AS person
      FROM change_row WHERE change_id = change.id
    """

  private static func change(_ row: Row) throws -> JournalChange {
    try JournalChange(id: row[0], summary: row[1], madeAt: row[2], undoneAt: row[3])
  }

  /// Restores a row as it was before a change.
  ///
  /// - Returns: the row as it is store.now, or was; nil if what it is about is no longer in the library.
  @discardableResult
  private static func restore<Row: JournalledRow>(
    _ type: Row.Type, _ row: GRDB.Row, _ change: inout JournalChange, _ db: Database
  ) throws -> Row? {
    func value(_ text: String?) throws -> Row? {
      guard let text else { return nil }
      guard let value = Row(json: try JSONValue(parsing: Array(text.utf8))) else { throw unreadable }
      return value
    }
    let (before, after) = (try value(row["before"]), try value(row["after"]))
    guard let written = before ?? after else { throw unreadable }
    guard let current = try written.current(db) else {
      change.lostRowCount += 1
      return nil
    }
    guard try !current.isOfAnother(written, changedTo: after, db), try before == nil || current.hasPreset(db) else {
      change.lostRowCount += 1
      return nil
    }
    if before == nil { try current.delete(db) } else { try current.save(db) }
    return current
  }

  private static var unreadable: DatabaseError {
    DatabaseError(message: "the journal contains a change that this version cannot read")
  }

  /// Whether the journal may have changes of a recording under several hashes, or of an album under several names.
  private static func hasFormerHash(_ subject: PresetSubject, _ db: Database) throws -> Bool {
    if case .album(let title, let artist) = subject {
      return try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM album JOIN former_album ON album_id = album.id
                            WHERE known_title = ? AND known_artist = ?)
            """), arguments: [title, artist]) ?? false
    }
    guard let hash = subject.recording else { return false }
    return try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM former_hash WHERE current = ? AND is_key)"),
      arguments: [Data(hash.bytes)]) ?? false
  }

  /// Makes the assignments of recordings and albums that were several what the journal says now: what a change was before it may
  /// be another recording's.
  private static func replay(_ keys: [AssignmentKey], _ db: Database) throws {
    guard !keys.isEmpty else { return }
    let journal = try PresetJournal(db)
    for key in keys {
      guard let expected = journal.assignments[key.withoutLabel] else { continue }
      if let expected { try expected.save(db) } else { try AssignmentRow.fetch(key, db)?.delete(db) }
    }
  }
}
