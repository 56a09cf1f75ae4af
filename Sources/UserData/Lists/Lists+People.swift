internal import Base
internal import LibraryDatabase
package import MediaStore

/// A list as clients of the server show it.
package struct PersonList: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var comment: String?
  package var personID: Int64
  /// The name of the person to whom it belongs.
  package var owner: String
  /// Whether other persons can hear it.
  package var isPublic: Bool
  /// nil for a list of given recordings.
  package var query: String?
  /// Seconds since 1970.
  package var createdAt: Int64
  package var changedAt: Int64

  /// A comment as it is kept.
  package static func cutComment(_ text: String) -> String { text.cut(toByteCount: 4_000) }
}

/// A change of a playlist; what is nil stays.
package struct PlaylistChange: Hashable, Sendable {
  package var name: String?
  package var comment: String?
  package var isPublic: Bool?
  /// Recordings that replace all of it.
  package var content: [Int64]?
  /// Places in the list of ``Lists/fileIDs(of:)``, from 0.
  package var removedPlaces: [Int] = []
  /// Recordings to add at the end.
  package var added: [Int64] = []

  package init() {}
}

/// Lists by id and person, as players name them; those of the owner are the lists of the command.
extension Lists {
  /// The lists of a person, and those of others that are public, by name. Who never changed anything is no person yet.
  package func visible(to personID: Int64?) throws(StoreError) -> [PersonList] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: Self.playlistRows + " WHERE person_id = ? OR is_public ORDER BY list.name COLLATE NOCASE, list.id",
        arguments: [personID]
      ).map(Self.playlist)
    }
  }

  /// - Throws: ``StoreError/noSuchList(_:)``, also for lists of others that are not public.
  package func list(_ id: Int64, visibleTo personID: Int64?) throws(StoreError) -> PersonList {
    let found = try store.read { db in
      try Row.fetchOne(
        db, sql: Self.playlistRows + " WHERE list.id = ? AND (person_id = ? OR is_public)", arguments: [id, personID]
      ).map(Self.playlist)
    }
    guard let found else { throw .noSuchList("\(id)") }
    return found
  }

  private static let playlistRows = """
    SELECT list.id, list.name, substr(comment, 1, 4001), person_id, person.name, is_public, query, coalesce(created_at, changed_at),
           changed_at
      FROM list JOIN person ON person.id = person_id
    """

  private static func playlist(_ row: Row) throws -> PersonList {
    try PersonList(
      id: row[0], name: row[1], comment: (row[2] as String?).map(PersonList.cutComment), personID: row[3],
      owner: row[4], isPublic: row[5], query: row[6],
      createdAt: row[7], changedAt: row[8])
  }

  /// The number of entries of a list, also of those without a present file.
  package func entryCount(of id: Int64) throws(StoreError) -> Int {
    try store.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM list_entry WHERE list_id = ?", arguments: [id]) ?? 0
    }
  }

  /// How many entries of a list of given recordings have a present file, and how long these are together.
  package func presentSize(ofList id: Int64) throws(StoreError) -> (fileCount: Int, durationInSeconds: Double) {
    try store.read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*), coalesce(sum(duration_s), 0.0)
            FROM list_entry
                 JOIN file ON file.id = (SELECT file.id FROM file
                                          WHERE file.audio_id = list_entry.audio_id AND missing_since IS NULL
                                          ORDER BY file.root_id, file.path LIMIT 1)
           WHERE list_id = ?
          """, arguments: [id])
      return try (row?[0] ?? 0, row?[1] ?? 0)
    }
  }

  /// The present files of a list of given recordings, one for each entry, in its order.
  package func presentFileIDs(ofList id: Int64) throws(StoreError) -> [Int64] {
    try store.read { try Self.presentEntries(ofList: id, $0).map(\.fileID) }
  }

  private static func presentEntries(
    ofList id: Int64, _ db: Database
  ) throws -> [(position: Int64, fileID: Int64)] {
    var entries: [(position: Int64, fileID: Int64)] = []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT position, (SELECT file.id FROM file WHERE file.audio_id = list_entry.audio_id AND missing_since IS NULL
                           ORDER BY file.root_id, file.path LIMIT 1) AS file_id
          FROM list_entry WHERE list_id = ? AND file_id IS NOT NULL ORDER BY position
        """, arguments: [id])
    while let row = try rows.next() { entries.append(try (row[0], row[1])) }
    return entries
  }

  /// Makes a list; if the person has one of that name, a number is added. It is on the disk when this returns.
  ///
  /// - Throws: ``StoreError/invalidListName(reason:)``.
  /// - Returns: its id.
  package func add(_ name: String, recordingIDs: [Int64], of personID: Int64) throws(StoreError) -> Int64 {
    try Self.requireName(name)
    return try store.edit("save the list \(name)") { editor in
      let id = try SavedListRow.nextID(editor.db)
      let row = SavedListRow(
        id: id, personID: personID, name: try Self.freeName(name, of: personID, except: nil, editor.db), query: nil,
        changedAt: store.now, createdAt: store.now)
      try editor.put(row, insteadOf: nil)
      _ = try Self.append(recordingIDs, to: id, &editor)
      return id
    }
  }

  /// Changes a list of a person; all of it is on the disk when this returns.
  ///
  /// - Throws: ``StoreError/noSuchList(_:)``, also for a list of somebody else; ``StoreError/listIsQuery(_:)`` if the entries
  ///   of a query would change; ``StoreError/invalidListName(reason:)``.
  package func change(_ id: Int64, _ change: PlaylistChange, of personID: Int64) throws(StoreError) {
    if let name = change.name { try Self.requireName(name) }
    try store.edit("change a list") { editor in
      let before = try Self.ownPlaylist(id, of: personID, editor.db)
      editor.summary = "change the list \(before.name)"
      var row = before
      if let name = change.name { row.name = try Self.freeName(name, of: personID, except: id, editor.db) }
      if let comment = change.comment { row.comment = comment.isEmpty ? nil : comment }
      if let isPublic = change.isPublic { row.isPublic = isPublic }
      if change.content != nil || !change.removedPlaces.isEmpty || !change.added.isEmpty {
        guard row.query == nil else { throw StoreError.listIsQuery(row.name) }
        let places = try Self.presentEntries(ofList: id, editor.db)
        let entries = try ListEntryRow.fetchAll(ofList: id, editor.db)
        if let content = change.content {
          let shown = Set(places.map(\.position))
          try Self.arrange(id, content, keeping: entries.filter { !shown.contains($0.position) }, &editor)
        } else {
          let removed = Set(change.removedPlaces.filter(places.indices.contains).map { places[$0].position })
          for entry in entries where removed.contains(entry.position) { try editor.remove(entry) }
        }
        _ = try Self.append(change.added, to: id, &editor)
      }
      row.changedAt = store.now
      if row != before { try editor.put(row, insteadOf: before) }
    }
  }

  /// - Throws: ``StoreError/noSuchList(_:)``, also for a list of somebody else.
  package func delete(_ id: Int64, of personID: Int64) throws(StoreError) {
    try store.edit("delete a list") { editor in
      let row = try Self.ownPlaylist(id, of: personID, editor.db)
      editor.summary = "delete the list \(row.name)"
      for entry in try ListEntryRow.fetchAll(ofList: id, editor.db) { try editor.remove(entry) }
      try editor.remove(row)
    }
  }

  private static func ownPlaylist(_ id: Int64, of personID: Int64, _ db: Database) throws -> SavedListRow {
    guard let row = try SavedListRow.fetch(id, db), row.personID == personID else {
      throw StoreError.noSuchList("\(id)")
    }
    return row
  }

  private static func freeName(
    _ name: String, of personID: Int64, except id: Int64?, _ db: Database
  ) throws -> String {
    var (free, number) = (name, 1)
    while let known = try listID(free, of: personID, db), known != id {
      number += 1
      free = NumberedName.name(name, number) { $0.utf8.count <= SavedList.maximumNameByteCount }
    }
    return free
  }
}
