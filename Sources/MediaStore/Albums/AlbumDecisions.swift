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
  /// Of two presets the later one stays; an attribute that the album has stays as it is.
  package static func move(from former: AlbumNames, to album: Int64, _ db: Database) throws {
    guard let names = try AlbumKey.names(of: album, db), former != names else { return }
    // Tracks without an album have nothing that is decided.
    if !names.title.isEmpty {
      try db.execute(
        sql: """
          UPDATE OR IGNORE group_attribute SET artist = :artist, album = :title
           WHERE scope = 'album' AND artist = :former_artist AND album = :former_title
          """,
        arguments: [
          "artist": names.artist, "title": names.title, "former_artist": former.artist, "former_title": former.title,
        ])
      try movePresets(from: former, to: names, db)
    }
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO former_album SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM album WHERE key = ?1 AND id <> ?2)
        """
    ).execute(arguments: [AlbumKey.key(former), album])
  }

  private static func movePresets(from former: AlbumNames, to names: AlbumNames, _ db: Database) throws {
    let sql =
      "SELECT * FROM preset_assignment WHERE scope = 'album' AND hash = x'' AND artist = :artist AND album = :title"
    for row in try Row.fetchAll(db, sql: sql, arguments: former.arguments) {
      let moved = try StoredAssignment(row)
      let key = names.arguments + ["person": moved.personID]
      let own = try Row.fetchOne(db, sql: sql + " AND person_id = :person", arguments: key).map(StoredAssignment.init)
      if let own, own.assignedAt >= moved.assignedAt {
        try db.execute(sql: delete, arguments: former.arguments + ["person": moved.personID])
        try note(own, over: moved, names, db)
      } else {
        if own != nil { try db.execute(sql: delete, arguments: key) }
        try db.execute(
          sql: """
            UPDATE preset_assignment SET artist = :artist, album = :title
             WHERE scope = 'album' AND hash = x'' AND artist = :former_artist AND album = :former_title
               AND person_id = :person
            """, arguments: key + ["former_artist": former.artist, "former_title": former.title])
        if let own { try note(moved, over: own, names, db) }
      }
    }
  }

  private static let delete = """
    DELETE FROM preset_assignment
     WHERE scope = 'album' AND hash = x'' AND artist = :artist AND album = :title AND person_id = :person
    """

  /// Lets the journal agree with the preset that stays, so that `undo` leads to the other one.
  private static func note(
    _ winner: StoredAssignment, over loser: StoredAssignment, _ names: AlbumNames, _ db: Database
  ) throws {
    guard winner != loser else { return }
    var joining = AssignmentJournal(db, "two albums became one: '\(names.title)'")
    try joining.note(winner.json(ofAlbum: names), became: loser.json(ofAlbum: names))
    var deciding = AssignmentJournal(db, "of its two presets, the earlier one gives way: '\(names.title)'")
    try deciding.note(loser.json(ofAlbum: names), became: winner.json(ofAlbum: names))
  }

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
           WHERE former.key = ?1
           ORDER BY is_former LIMIT 1
          """), arguments: [AlbumKey.key(names)])
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
}
