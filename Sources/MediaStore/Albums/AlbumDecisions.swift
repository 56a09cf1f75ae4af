internal import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel

/// What people decided about albums: attributes and presets, by the names that an album is known by.
package enum AlbumDecisions {
  package static func has(_ names: AlbumNames, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM group_attribute WHERE scope = 'album' AND artist = :artist AND album = :title)
              OR EXISTS (SELECT 1 FROM preset_assignment
                          WHERE scope = 'album' AND hash = x'' AND artist = :artist AND album = :title)
              OR EXISTS (SELECT 1 FROM album_choice WHERE artist = :artist AND title = :title)
          """), arguments: names.arguments) == true
  }

  /// Gives all that was decided under some names to an album, and lets these names lead there from now on.
  ///
  /// Of two presets the later one stays; an attribute that the album has stays as it is. What came from where is kept, see
  /// ``giveBack(to:_:)``.
  ///
  /// - Parameters:
  ///   - id: The row that these names had.
  ///   - files: That were on it.
  package static func move(
    from former: AlbumNames, id: Int64? = nil, files: [Int64] = [], to album: Int64, _ db: Database
  ) throws {
    guard let names = try AlbumKey.names(of: album, db), former != names else { return }
    var moved = MovedDecisions()
    moved.names = former
    let key = try db.cachedStatement(sql: "SELECT key FROM file WHERE id = ?")
    let step = max(1, files.count / MovedDecisions.mostFiles)
    moved.fileKeys = try stride(from: 0, to: files.count, by: step).prefix(MovedDecisions.mostFiles).compactMap {
      try Data.fetchOne(key, arguments: [files[$0]])
    }
    // Nothing is decided about tracks without an album; only the id follows.
    let isAlbum = !names.title.isEmpty && !former.title.isEmpty
    if isAlbum {
      moved.attributes = try moveAttributes(from: former, to: names, db)
      moved.presets = try presets(of: former, and: names, db)
    }
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO former_album (key, album_id, former_id, moved)
          SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM album WHERE key = ?1 AND id <> ?2)
        """
    ).execute(arguments: [AlbumKey.key(former), album, id, isAlbum ? moved.json.text : nil])
    try unite(moved.presets, of: former, in: names, db)
  }

  /// The row that an album had which was called so before it became part of another one; nil if there was none, or it is taken.
  static func formerID(of names: AlbumNames, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT former_id FROM former_album
           WHERE key = ? AND former_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album WHERE id = former_id)
          """), arguments: [AlbumKey.key(names)])
  }

  /// The row of the album that one has become part of; the same one if it is there, or nothing is known of it.
  package static func currentID(of id: Int64, _ db: Database) throws -> Int64 {
    guard try db.tableExists("former_album"),
      try db.columns(in: "former_album").contains(where: { $0.name == "former_id" })
    else { return id }
    return try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT album_id FROM former_album
           WHERE former_id = ?1 AND NOT EXISTS (SELECT 1 FROM album WHERE id = ?1)
          """), arguments: [id]) ?? id
  }

  /// Gives an album that is there again what moved to another one when it became part of that: attributes that nobody has changed there
  /// since, and the presets that the journal says each has.
  static func giveBack(to names: AlbumNames, _ db: Database) throws {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT known_artist, known_title, moved FROM former_album AS former JOIN album ON album.id = album_id
           WHERE former.key = ?
          """), arguments: [AlbumKey.key(names)])
    guard let row else { return }
    try db.cachedStatement(sql: "DELETE FROM former_album WHERE key = ?").execute(arguments: [AlbumKey.key(names)])
    let keeper = try AlbumNames(artist: row[0], title: row[1])
    guard keeper != names, let text: String = try row[2], let moved = MovedDecisions(text: text) else { return }
    let arguments = names.arguments(insteadOf: keeper)
    for attribute in moved.attributes {
      try db.cachedStatement(
        sql: """
          UPDATE OR IGNORE group_attribute SET artist = :artist, album = :title
           WHERE scope = 'album' AND artist = :former_artist AND album = :former_title
             AND name = :name AND person_id = :person AND value = :value
          """
      ).execute(
        arguments: arguments
          + ["name": attribute.name, "person": attribute.personID, "value": attribute.value])
    }
    guard !moved.presets.isEmpty else { return }
    let words = try AlbumPresetWords(db)
    for preset in moved.presets {
      let person = preset.moved.personID
      let present = try assignment(of: keeper, by: person, db)
      let left = words.word(of: keeper, by: person) ?? (present == preset.moved ? preset.own : present)
      try set(left, of: keeper, by: person, db)
      try set(words.word(of: names, by: person) ?? preset.moved, of: names, by: person, db)
    }
  }

  private static func moveAttributes(
    from former: AlbumNames, to names: AlbumNames, _ db: Database
  ) throws -> [MovedDecisions.Attribute] {
    let arguments = names.arguments(insteadOf: former)
    let moved = try Row.fetchAll(
      db,
      sql: """
        SELECT name, person_id, value FROM group_attribute AS former
         WHERE scope = 'album' AND artist = :former_artist AND album = :former_title
           AND NOT EXISTS (SELECT 1 FROM group_attribute AS own
                            WHERE own.scope = 'album' AND own.artist = :artist AND own.album = :title
                              AND own.name = former.name AND own.person_id = former.person_id)
         ORDER BY name, person_id
        """, arguments: arguments
    ).map { try MovedDecisions.Attribute(name: $0[0], personID: $0[1], value: $0[2]) }
    try db.execute(
      sql: """
        UPDATE OR IGNORE group_attribute SET artist = :artist, album = :title
         WHERE scope = 'album' AND artist = :former_artist AND album = :former_title
        """, arguments: arguments)
    return moved
  }

  /// What each person assigned to an album, beside what they assigned to another one.
  private static func presets(
    of former: AlbumNames, and names: AlbumNames, _ db: Database
  ) throws -> [MovedDecisions.Preset] {
    try Row.fetchAll(db, sql: assignments, arguments: former.arguments).map { row in
      let moved = try StoredAssignment(row)
      return try MovedDecisions.Preset(moved: moved, own: assignment(of: names, by: moved.personID, db))
    }
  }

  /// Of two presets the one that the journal names last stays, else the later one. If it names neither, as after a removal, the one
  /// that stays is noted in it.
  private static func unite(
    _ presets: [MovedDecisions.Preset], of former: AlbumNames, in names: AlbumNames, _ db: Database
  ) throws {
    guard !presets.isEmpty else { return }
    let words = try AlbumPresetWords(db)
    for preset in presets {
      let person = preset.moved.personID
      let word = words.word(of: names, by: person)
      var stays = preset.moved
      if let own = preset.own, word == own || word != preset.moved && own.assignedAt >= preset.moved.assignedAt {
        stays = own
      }
      try set(nil, of: former, by: person, db)
      try set(stays, of: names, by: person, db)
      guard let word, word != stays else { continue }
      var joining = AssignmentJournal(db, "two albums became one: '\(names.title)'")
      try joining.note(word?.json(ofAlbum: names), became: stays.json(ofAlbum: names))
    }
  }

  private static func assignment(of names: AlbumNames, by person: Int64, _ db: Database) throws -> StoredAssignment? {
    try Row.fetchOne(db, sql: assignments + " AND person_id = :person", arguments: names.arguments + ["person": person])
      .map(StoredAssignment.init)
  }

  private static func set(
    _ assignment: StoredAssignment?, of names: AlbumNames, by person: Int64, _ db: Database
  ) throws {
    guard try self.assignment(of: names, by: person, db) != assignment else { return }
    try db.execute(sql: delete, arguments: names.arguments + ["person": person])
    if let assignment { try insert(assignment, names, db) }
  }

  private static let assignments =
    "SELECT * FROM preset_assignment WHERE scope = 'album' AND hash = x'' AND artist = :artist AND album = :title"

  private static func insert(_ assignment: StoredAssignment, _ names: AlbumNames, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO preset_assignment
          (scope, hash, artist, album, person_id, preset_id, built_in, is_on, label, assigned_at)
        SELECT 'album', x'', :artist, :title, :person, :preset, :built_in, :is_on, '', :assigned_at
         WHERE :preset IS NULL OR EXISTS (SELECT 1 FROM preset WHERE id = :preset)
        """,
      arguments: names.arguments + [
        "person": assignment.personID, "preset": assignment.presetID, "built_in": assignment.builtIn,
        "is_on": assignment.isOn, "assigned_at": assignment.assignedAt,
      ])
  }

  private static let delete = """
    DELETE FROM preset_assignment
     WHERE scope = 'album' AND hash = x'' AND artist = :artist AND album = :title AND person_id = :person
    """

  /// The names by which an album is known now whose key is that of some names, or that was known by them; the same ones if there is
  /// none.
  package static func current(_ names: AlbumNames, _ db: Database) throws -> AlbumNames {
    guard try db.tableExists("former_album") else { return names }
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT known_artist, known_title, 0 AS is_former FROM album WHERE key = ?1
          UNION ALL
          SELECT known_artist, known_title, 1 FROM former_album AS former JOIN album ON album.id = album_id
           WHERE former.key = ?1 AND known_title <> ''
           ORDER BY is_former LIMIT 1
          """), arguments: [AlbumKey.key(names)])
    return try row.map { try AlbumNames(artist: $0[0], title: $0[1]) } ?? names
  }

  /// What the album is called now whose names these are or were, see ``current(_:_:)``; the same names if it has no files.
  package static func shown(_ names: AlbumNames, _ db: Database) throws -> AlbumNames {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT artist, title FROM album WHERE key = ? AND file_count > 0 AND title <> ''"),
      arguments: [AlbumKey.key(current(names, db))])
    return try row.map { try AlbumNames(artist: $0[0], title: $0[1]) } ?? names
  }

  /// Lets what was decided under names that no album is known by follow the files that had them: those with that title whose album
  /// artist or artist is the one named, or any if the album is of several artists.
  ///
  /// An album takes the first such names as its own; what comes under others goes to those.
  package static func adopt(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT artist, album FROM group_attribute WHERE scope = 'album'
         UNION SELECT artist, album FROM preset_assignment WHERE scope = 'album'
        EXCEPT SELECT known_artist, known_title FROM album
         ORDER BY 2, 1
        """)
    for row in rows {
      let names = try AlbumNames(artist: row[0], title: row[1])
      guard let album = try self.album(of: names, db), let known = try AlbumKey.names(of: album, db) else { continue }
      if try !has(known, db) { try AlbumKey.rename(album, to: names, db) }
      try move(from: names, to: album, db)
    }
  }

  /// The album with most files that names lead to.
  private static func album(of names: AlbumNames, _ db: Database) throws -> Int64? {
    guard let key = AlbumFile.shelf(ofTitle: ShownText.cut(names.title)) else { return nil }
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT album_id, coalesce(nullif(file.albumartist, ''), file.artist, ''), album.artist, file.album
            FROM file JOIN album ON album.id = album_id
           WHERE album_shelf = ?
          """), arguments: [key])
    let wanted = NameKey.key(names.artist)
    let isOfSeveral = wanted == NameKey.key(AlbumRule.variousArtists)
    var counts: [Int64: Int] = [:]
    for row in rows {
      let artists: [String] = try [row[1], row[2]]
      // What was an album of several artists may be somebody's now.
      guard artists.contains(where: { NameKey.key($0) == wanted }) || isOfSeveral else { continue }
      // The exact title counts more than one that is like it.
      try counts[row[0], default: 0] += (row[3] as String?) == names.title ? 1_000 : 1
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}

extension AlbumNames {
  fileprivate var arguments: StatementArguments { ["artist": artist, "title": title] }

  fileprivate func arguments(insteadOf former: AlbumNames) -> StatementArguments {
    arguments + ["former_artist": former.artist, "former_title": former.title]
  }
}
