internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel

extension Migrations {
  /// 10: albums; what was decided about them by the names in tags follows.
  @Sendable static func addAlbums(_ db: Database) throws {
    try db.execute(sql: albumColumns)
    try db.execute(sql: albumTables)
    try db.execute(sql: formerAlbumTriggers)
    try rememberFormerAlbums(db)
    try db.execute(
      sql: """
        ALTER TABLE change_row RENAME TO former_change_row;
        \(changeRowTable)
        INSERT INTO change_row (change_id, position, table_name, before, after)
          SELECT change_id, position, table_name, before, after FROM former_change_row;
        DROP TABLE former_change_row;
        """)
    try addCoverTables(db)
    try addAlbumSound(db)
    try AlbumWriter.settleAll(db)
    try giveToTracks(db)
    try AlbumDecisions.adopt(db)
    try rememberFormerKeys(db)
  }

  /// A preset of what was an album and is only a part of one becomes that of its tracks: everything sounds as before.
  private static func giveToTracks(_ db: Database) throws {
    var journal = AssignmentJournal(db, "presets of albums that are now part of another one moved to their tracks")
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM preset_assignment WHERE scope = 'album' ORDER BY album, artist, person_id")
    for row in rows {
      let names = try AlbumNames(artist: row["artist"], title: row["album"])
      let arguments: StatementArguments = ["artist": names.artist, "album": names.title]
      let files = try Row.fetchAll(
        db,
        sql: """
          SELECT album_id, audio.hash, file.artist, coalesce(nullif(file.title, ''), file.name_text)
            FROM file JOIN audio ON audio.id = file.audio_id
           WHERE file.album = :album AND coalesce(nullif(albumartist, ''), file.artist, '') = :artist
             AND missing_since IS NULL
           ORDER BY file.id
          """, arguments: arguments)
      let albums = try Set(files.map { try $0[0] as Int64? })
      guard let album = albums.first else { continue }
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM file WHERE album_id IS ? AND audio_id IS NOT NULL AND missing_since IS NULL",
        arguments: [album])
      guard albums.count > 1 || count != files.count else { continue }
      let own = try StoredAssignment(row)
      try journal.note(own.json(ofAlbum: names), became: nil)
      try db.execute(
        sql: """
          DELETE FROM preset_assignment
           WHERE scope = 'album' AND artist = :artist AND album = :album AND person_id = :person
          """, arguments: arguments + ["person": own.personID])
      for file in files {
        let (hash, artist, title): (Data, String?, String) = try (file[1], file[2], file[3])
        try give(own, to: hash, label: [artist, title].compactMap { $0 }.joined(separator: " - "), &journal, db)
      }
    }
  }

  /// Gives a track an assignment; one of its own stays, but for the switch.
  private static func give(
    _ assignment: StoredAssignment, to hash: Data, label: String, _ journal: inout AssignmentJournal, _ db: Database
  ) throws {
    let known = try Row.fetchOne(
      db,
      sql: "SELECT * FROM preset_assignment WHERE scope = 'track' AND hash = ? AND person_id = ?",
      arguments: [hash, assignment.personID])
    let before = try known.map(StoredAssignment.init)
    var after = before ?? assignment
    after.isOn = after.isOn && assignment.isOn
    guard after != before else { return }
    let shown: String = try known.map { try $0["label"] } ?? label
    let track = ContentHash(bytes: hash)?.description ?? ""
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO preset_assignment
               (scope, hash, artist, album, person_id, preset_id, built_in, is_on, label, assigned_at)
        VALUES ('track', :hash, '', '', :person, :preset, :built_in, :is_on, :label, :assigned)
        """,
      arguments: [
        "hash": hash, "person": after.personID, "preset": after.presetID, "built_in": after.builtIn,
        "is_on": after.isOn,
        "label": shown, "assigned": after.assignedAt,
      ])
    try journal.note(before?.json(ofTrack: track, label: shown), became: after.json(ofTrack: track, label: shown))
  }

  /// Clients know albums by what they were called until now: the folded album artist, artist or "Various Artists", and the title.
  private static func rememberFormerKeys(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT DISTINCT album_id, coalesce(nullif(albumartist, ''), artist, ''), coalesce(album, '')
          FROM file WHERE album_id IS NOT NULL
        """)
    let insert = try db.makeStatement(
      sql:
        "INSERT OR IGNORE INTO former_album (key, album_id) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM album WHERE key = ?1)"
    )
    var found: [(album: Int64, key: Data)] = []
    while let row = try rows.next() {
      let (album, artist, title): (Int64, String, String) = try (row[0], row[1], row[2])
      for artist in [artist.isEmpty ? "[Unknown Artist]" : artist, AlbumRule.variousArtists] {
        let names = AlbumNames(artist: artist, title: title.isEmpty ? "[Unknown Album]" : title)
        found.append((album, AlbumKey.key(names)))
      }
    }
    for former in found { try insert.execute(arguments: [former.key, former.album]) }
  }

  private static let albumColumns = """
    ALTER TABLE file ADD COLUMN album_id INTEGER REFERENCES album (id) ON DELETE SET NULL;
    ALTER TABLE file ADD COLUMN album_shelf TEXT;
    ALTER TABLE file ADD COLUMN album_folder INTEGER;
    ALTER TABLE file ADD COLUMN album_edition INTEGER;
    ALTER TABLE file ADD COLUMN album_disc INTEGER;
    CREATE INDEX file_by_album_id ON file (album_id);
    CREATE INDEX file_by_album_shelf ON file (album_shelf);
    CREATE INDEX file_by_album_folder ON file (album_folder);
    """

  private static let albumTables = """
    CREATE TABLE album (
      id             INTEGER PRIMARY KEY AUTOINCREMENT,
      key            BLOB NOT NULL UNIQUE CHECK (length(key) = 16),
      known_artist   TEXT NOT NULL,
      known_title    TEXT NOT NULL,
      title          TEXT NOT NULL,
      artist         TEXT NOT NULL,
      sort_key       TEXT NOT NULL,
      is_compilation INTEGER NOT NULL CHECK (is_compilation IN (0, 1)),
      release_group  TEXT,
      is_new         INTEGER NOT NULL CHECK (is_new IN (0, 1)),
      year           INTEGER,
      added_at       INTEGER,
      file_count     INTEGER NOT NULL DEFAULT 0,
      problem_count  INTEGER NOT NULL DEFAULT 0,
      edition_count  INTEGER NOT NULL DEFAULT 0,
      track_count    INTEGER NOT NULL DEFAULT 0,
      disc_count     INTEGER NOT NULL DEFAULT 0,
      duration_s     REAL NOT NULL DEFAULT 0,
      UNIQUE (known_title, known_artist)
    ) STRICT;

    CREATE INDEX album_by_name ON album (sort_key, id);
    CREATE INDEX album_by_release_group ON album (release_group) WHERE release_group IS NOT NULL;

    CREATE TABLE former_album (
      key      BLOB PRIMARY KEY CHECK (length(key) = 16),
      album_id INTEGER NOT NULL REFERENCES album (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX former_album_by_album ON former_album (album_id);

    CREATE TABLE album_choice (
      hash   BLOB NOT NULL CHECK (length(hash) = 16),
      shelf  TEXT NOT NULL,
      artist TEXT NOT NULL,
      title  TEXT NOT NULL,
      PRIMARY KEY (hash, shelf)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE album_due (
      kind  TEXT NOT NULL CHECK (kind IN ('file', 'shelf', 'folder', 'album')),
      value ANY NOT NULL,
      PRIMARY KEY (kind, value)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX album_choice_by_album ON album_choice (title, artist);
    """

  /// As version 10 had them; libraries of that version still do.
  static let formerAlbumTriggers = """
    CREATE TRIGGER album_due_added AFTER INSERT ON file BEGIN
      INSERT OR IGNORE INTO album_due VALUES ('file', new.id);
    END;

    CREATE TRIGGER album_due_changed AFTER UPDATE OF root_id, path, last_state, missing_since, audio_id, stream_id, title, artist, album,
      albumartist, year, track, disc, duration_s, extracted_at ON file BEGIN
      INSERT OR IGNORE INTO album_due VALUES ('file', new.id);
    END;

    CREATE TRIGGER album_due_removed AFTER DELETE ON file BEGIN
      INSERT OR IGNORE INTO album_due SELECT 'shelf', old.album_shelf WHERE old.album_shelf IS NOT NULL;
      INSERT OR IGNORE INTO album_due SELECT 'folder', old.album_folder WHERE old.album_folder IS NOT NULL;
      INSERT OR IGNORE INTO album_due SELECT 'album', old.album_id WHERE old.album_id IS NOT NULL;
      DELETE FROM album_due WHERE kind = 'file' AND value = old.id;
    END;

    CREATE TRIGGER album_choice_made AFTER INSERT ON album_choice BEGIN
      INSERT OR IGNORE INTO album_due VALUES ('shelf', new.shelf);
    END;

    CREATE TRIGGER album_choice_changed AFTER UPDATE ON album_choice BEGIN
      INSERT OR IGNORE INTO album_due VALUES ('shelf', old.shelf);
      INSERT OR IGNORE INTO album_due VALUES ('shelf', new.shelf);
    END;

    CREATE TRIGGER album_choice_removed AFTER DELETE ON album_choice BEGIN
      INSERT OR IGNORE INTO album_due VALUES ('shelf', old.shelf);
    END;
    """

  private static let changeRowTable = """
    CREATE TABLE change_row (
      change_id  INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      position   INTEGER NOT NULL,
      table_name TEXT NOT NULL CHECK (table_name IN (
                   'preset', 'preset_assignment', 'list', 'list_entry', 'attribute', 'group_attribute', 'album_choice')),
      before     TEXT,
      after      TEXT,
      PRIMARY KEY (change_id, position)
    ) STRICT, WITHOUT ROWID;
    """

  /// 12: what an album gets back that was part of another one. Earlier steps look for albums, so they call this before.
  @Sendable static func rememberFormerAlbums(_ db: Database) throws {
    guard try !db.columns(in: "former_album").contains(where: { $0.name == "former_id" }) else { return }
    try db.execute(sql: "ALTER TABLE former_album ADD COLUMN former_id INTEGER")
    try db.execute(sql: "ALTER TABLE former_album ADD COLUMN moved TEXT")
  }
}
