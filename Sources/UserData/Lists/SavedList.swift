internal import Base
package import LibraryDatabase
package import MediaStore

/// A named list: a query, which is run each time the list is used, or given recordings.
package struct SavedList: Hashable, Sendable {
  package var id: Int64
  package var name: String
  /// nil for a list of given recordings.
  package var query: String?
  package var entryCount: Int
  /// Seconds since 1970.
  package var changedAt: Int64

  package static let maximumNameByteCount = 200

  package init(id: Int64, name: String, query: String?, entryCount: Int, changedAt: Int64) {
    self.id = id
    self.name = name
    self.query = query
    self.entryCount = entryCount
    self.changedAt = changedAt
  }

  /// Names with the same key are the same, as for presets. Case does not matter, nor the encoding of accents, because
  /// Swift compares strings by canonical equivalence.
  package static func key(_ name: String) -> String { name.lowercased() }

  /// A list name made from a title; nil if no characters are left.
  package static func name(after title: String) -> String? {
    var name = String(String.UnicodeScalarView(title.unicodeScalars.filter { !TerminalText.mustBeEscaped($0) }))
    while name.first?.isWhitespace == true { name.removeFirst() }
    while name.last?.isWhitespace == true || name.utf8.count > maximumNameByteCount { name.removeLast() }
    return name.isEmpty ? nil : name
  }
}

/// The lists of a library: queries with a name, and given recordings.
package struct Lists {
  package let store: MediaStore
}

extension MediaStore {
  /// Its lists.
  package var lists: Lists { Lists(store: self) }
}

extension Lists {
  /// All lists of the person for whom the connection speaks, sorted by name.
  package func all() throws(StoreError) -> [SavedList] {
    try store.read { db in
      try Row.fetchAll(db, sql: Self.listRows + " ORDER BY name COLLATE NOCASE, id").map(Self.list)
    }
  }

  /// - Throws: ``StoreError/noSuchList(_:)``.
  package func list(named name: String) throws -> SavedList {
    let found = try store.read { db in
      try Self.listID(name, of: store.personID, db).flatMap { id in
        try Row.fetchOne(db, sql: Self.listRows + " AND id = ?", arguments: [id]).map(Self.list)
      }
    }
    guard let found else { throw StoreError.noSuchList(name) }
    return found
  }

  /// The list of a person that a name means: one with exactly that name, otherwise one whose name has the same key.
  package static func listID(_ name: String, of personID: Int64, _ db: Database) throws -> Int64? {
    let lists = try Row.fetchAll(db, sql: "SELECT id, name FROM list WHERE person_id = ?", arguments: [personID])
      .map { row -> (id: Int64, name: String) in (try row[0], try row[1]) }
    let meant = lists.filter { SavedList.key($0.name) == SavedList.key(name) }
    return (meant.first { $0.name.unicodeScalars.elementsEqual(name.unicodeScalars) } ?? meant.first)?.id
  }

  private static let listRows = """
    SELECT id, name, query, (SELECT count(*) FROM list_entry WHERE list_id = list.id), changed_at FROM list
     WHERE person_id = listener()
    """

  private static func list(_ row: Row) throws -> SavedList {
    try SavedList(id: row[0], name: row[1], query: row[2], entryCount: row[3], changedAt: row[4])
  }

  /// One file for each recording of a list of given recordings, in its order; a present one if there is any.
  package func fileIDs(of list: SavedList) throws(StoreError) -> [Int64] {
    try store.read { try Self.fileIDs(ofList: list.id, $0) }
  }

  package static func fileIDs(ofList id: Int64, _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT (SELECT file.id FROM file WHERE file.audio_id = list_entry.audio_id
                 ORDER BY file.missing_since IS NOT NULL, file.root_id, file.path LIMIT 1) AS file_id
          FROM list_entry
         WHERE list_id = ? AND file_id IS NOT NULL
         ORDER BY position
        """, arguments: [id])
  }
}
