package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
internal import MediaStore

/// A row of `list`, as the table and the journal have it.
package struct SavedListRow: Equatable {
  package var id: Int64
  package var personID = Person.ownerID
  package var name: String
  package var query: String?
  package var changedAt: Int64
  package var comment: String?
  /// Whether other persons can hear it.
  package var isPublic = false
  /// nil if that is not known.
  package var createdAt: Int64?

  /// What ``init(row:)`` reads.
  package static let columns = "id, person_id, name, query, changed_at, comment, is_public, created_at"

  package static func fetch(_ id: Int64, _ db: Database) throws -> SavedListRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM list WHERE id = ?"), arguments: [id]
    ).map(SavedListRow.init(row:))
  }

  /// An id that no list has had.
  package static func nextID(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'list'") ?? 1
  }

  package func save(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO list (\(Self.columns))
        VALUES (:id, :person, :name, :query, :changed, :comment, :public, :created)
        ON CONFLICT (id) DO UPDATE
           SET person_id = excluded.person_id, name = excluded.name, query = excluded.query,
               changed_at = excluded.changed_at, comment = excluded.comment, is_public = excluded.is_public,
               created_at = excluded.created_at
        """
    ).execute(arguments: [
      "id": id, "person": personID, "name": name, "query": query, "changed": changedAt, "comment": comment,
      "public": isPublic, "created": createdAt,
    ])
  }

  package func delete(_ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM list WHERE id = ?").execute(arguments: [id])
  }
}

extension SavedListRow {
  /// - Parameter row: ``columns``.
  package init(row: Row) throws {
    try self.init(
      id: row[0], personID: row[1], name: row[2], query: row[3], changedAt: row[4], comment: row[5], isPublic: row[6],
      createdAt: row[7])
  }

  package var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .integer(id)), .init("person_id", .integer(personID)), .init("name", .string(name)),
      .init("query", .string(query)), .init("changed_at", .integer(changedAt)),
    ]
    // As schema 6 wrote them, unless there is more to say.
    if let comment { members.append(.init("comment", .string(comment))) }
    if isPublic { members.append(.init("is_public", .bool(true))) }
    if let createdAt { members.append(.init("created_at", .integer(createdAt))) }
    return .object(members)
  }

  package init?(json: JSONValue) {
    guard case .integer(let id) = json["id"], case .integer(let personID) = json["person_id"],
      let name = json["name"]?.string, case .integer(let changedAt) = json["changed_at"]
    else { return nil }
    self.init(
      id: id, personID: personID, name: name, query: json["query"]?.string, changedAt: changedAt,
      comment: json["comment"]?.string, isPublic: json["is_public"]?.bool ?? false,
      createdAt: json["created_at"].flatMap { if case .integer(let time) = $0 { time } else { nil } })
  }
}

/// A place of a recording in a list, as the journal has it.
package struct ListEntryRow: Equatable {
  package var listID: Int64
  /// Positions need not be consecutive.
  package var position: Int64
  package var recording: ContentHash

  package init(listID: Int64, position: Int64, recording: ContentHash) {
    self.listID = listID
    self.position = position
    self.recording = recording
  }

  /// The entries of a list, in its order.
  package static func fetchAll(ofList id: Int64, _ db: Database) throws -> [ListEntryRow] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT position, hash FROM list_entry JOIN audio ON audio.id = audio_id WHERE list_id = ? ORDER BY position
          """), arguments: [id])
    return try rows.compactMap { row in
      let position: Int64 = try row[0]
      return try ContentHash(bytes: row[1] as Data).map {
        ListEntryRow(listID: id, position: position, recording: $0)
      }
    }
  }

  /// The places of a recording in all lists.
  package static func fetchAll(of recording: ContentHash, _ db: Database) throws -> [ListEntryRow] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT list_id, position FROM list_entry
           WHERE audio_id = (SELECT id FROM audio WHERE hash = ?) ORDER BY list_id, position
          """), arguments: [Data(recording.bytes)]
    ).map { try ListEntryRow(listID: $0[0], position: $0[1], recording: recording) }
  }

  /// Whether a file has its recording, or had it when it was last seen.
  func hasFile(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM file WHERE audio_id = (SELECT id FROM audio WHERE hash = ?))"),
      arguments: [Data(recording.bytes)]) ?? false
  }

  /// The position behind the last entry of a list.
  static func endOfList(_ id: Int64, _ db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT coalesce(max(position) + 1, 0) FROM list_entry WHERE list_id = ?"),
      arguments: [id]) ?? 0
  }

  /// Inserts the entry; one that has its position moves behind it, with all that follow. Nothing happens if the list is
  /// not there.
  package func save(_ db: Database) throws {
    let isTaken = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM list_entry WHERE list_id = ? AND position = ?)"),
      arguments: [listID, position])
    if isTaken == true {
      // By way of negative numbers, because no two entries may share one in between.
      try db.cachedStatement(
        sql: "UPDATE list_entry SET position = -position - 2 WHERE list_id = ? AND position >= ?"
      ).execute(arguments: [listID, position])
      try db.cachedStatement(sql: "UPDATE list_entry SET position = -position - 1 WHERE list_id = ? AND position < 0")
        .execute(arguments: [listID])
    }
    try db.cachedStatement(
      sql: """
        INSERT INTO list_entry (list_id, position, audio_id)
        SELECT list.id, :position, audio.id FROM list, audio WHERE list.id = :list AND hash = :hash
        """
    ).execute(arguments: ["list": listID, "position": position, "hash": Data(recording.bytes)])
  }

  /// Deletes the entry at its position; if another recording is there by now, the last one of its recording.
  package func delete(_ db: Database) throws {
    let arguments: StatementArguments = ["list": listID, "position": position, "hash": Data(recording.bytes)]
    try db.cachedStatement(
      sql: """
        DELETE FROM list_entry
         WHERE list_id = :list AND position = :position AND audio_id = (SELECT id FROM audio WHERE hash = :hash)
        """
    ).execute(arguments: arguments)
    guard db.changesCount == 0 else { return }
    try db.cachedStatement(
      sql: """
        DELETE FROM list_entry
         WHERE list_id = :list
           AND position = (SELECT position FROM list_entry
                            WHERE list_id = :list AND audio_id = (SELECT id FROM audio WHERE hash = :hash)
                            ORDER BY position DESC LIMIT 1)
        """
    ).execute(arguments: ["list": listID, "hash": Data(recording.bytes)])
  }

  package var json: JSONValue {
    .object([
      "list_id": .integer(listID), "position": .integer(position), "hash": .string(recording.description),
    ])
  }
}

extension ListEntryRow {
  package init?(json: JSONValue) {
    guard case .integer(let listID) = json["list_id"], case .integer(let position) = json["position"],
      let recording = json["hash"]?.string.flatMap(ContentHash.init(hexadecimal:))
    else { return nil }
    self.init(listID: listID, position: position, recording: recording)
  }
}
