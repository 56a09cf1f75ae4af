internal import Foundation
internal import LibraryDatabase
internal import MediaModel

extension Migrations {
  /// 11: pictures beside files, and the cover of each album.
  @Sendable static func addCovers(_ db: Database) throws {
    guard try !db.tableExists("folder_picture") else { return }
    try addCoverTables(db)
    // It gives each file its folder, and each album a cover.
    try rememberFormerAlbums(db)
    try addAlbumSound(db)
    try AlbumWriter.settleAll(db)
  }

  /// What the writer of albums needs, also in the step before, which uses it.
  static func addCoverTables(_ db: Database) throws {
    // All files are due again after it.
    try db.execute(sql: "DROP TABLE album_due; " + dueTable)
    try db.execute(sql: dueTriggers)
    try db.execute(sql: columns)
    try db.execute(sql: pictureTable)
    try db.execute(sql: chosenCovers)
    try markShown(db)
  }

  private static func markShown(_ db: Database) throws {
    let head = PictureMediaType.headByteCount
    for id in try Int64.fetchAll(db, sql: "SELECT id FROM artwork") {
      let bytes = try Data.fetchOne(
        db.cachedStatement(sql: "SELECT substr(bytes, 1, ?) FROM artwork WHERE id = ?"), arguments: [head, id])
      guard !PictureMediaType.isShown(bytes ?? Data()) else { continue }
      try db.execute(sql: "UPDATE artwork SET is_shown = 0 WHERE id = ?", arguments: [id])
    }
  }

  private static let columns = """
    ALTER TABLE file ADD COLUMN folder INTEGER;
    CREATE INDEX file_by_folder ON file (folder, album_id) WHERE missing_since IS NULL;
    ALTER TABLE artwork ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 1 CHECK (is_shown IN (0, 1));
    CREATE INDEX change_row_of_groups ON change_row (change_id) WHERE table_name = 'group_attribute';
    ALTER TABLE album ADD COLUMN cover BLOB CHECK (length(cover) = 16);
    ALTER TABLE album ADD COLUMN
      cover_source TEXT CHECK (iif(cover IS NULL, cover_source IS NULL, cover_source IN ('chosen', 'beside', 'tags')));
    """

  private static let dueTable = """
    CREATE TABLE album_due (
      kind  TEXT NOT NULL CHECK (kind IN ('file', 'shelf', 'folder', 'album', 'picture')),
      value ANY NOT NULL,
      PRIMARY KEY (kind, value)
    ) STRICT, WITHOUT ROWID;
    """

  private static let pictureTable = """
    CREATE TABLE folder_picture (
      id         INTEGER PRIMARY KEY,
      root_id    INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
      path       BLOB NOT NULL,
      path_text  TEXT NOT NULL,
      folder     INTEGER,
      rank       INTEGER NOT NULL,
      size_bytes INTEGER NOT NULL,
      mtime_ns   INTEGER NOT NULL,
      ctime_ns   INTEGER NOT NULL,
      hash       BLOB CHECK (length(hash) = 16),
      mime_type  TEXT,
      problem    TEXT,
      UNIQUE (root_id, path),
      CHECK (iif(hash IS NULL, problem IS NOT NULL AND mime_type IS NULL, problem IS NULL AND mime_type IS NOT NULL))
    ) STRICT;

    CREATE INDEX folder_picture_by_folder ON folder_picture (folder, rank, path) WHERE hash IS NOT NULL;
    CREATE INDEX folder_picture_by_hash ON folder_picture (hash) WHERE hash IS NOT NULL;

    CREATE TRIGGER folder_picture_added AFTER INSERT ON folder_picture BEGIN
      INSERT INTO album_due SELECT 'picture', new.id
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'picture' AND value = new.id);
    END;

    CREATE TRIGGER folder_picture_changed AFTER UPDATE OF root_id, path, rank, hash ON folder_picture BEGIN
      INSERT INTO album_due SELECT 'picture', new.id
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'picture' AND value = new.id);
    END;

    CREATE TRIGGER folder_picture_removed AFTER DELETE ON folder_picture BEGIN
      INSERT INTO album_due
        SELECT DISTINCT 'album', album_id FROM file
         WHERE (folder = old.folder OR album_folder = old.folder) AND missing_since IS NULL AND album_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album_id);
      DELETE FROM album_due WHERE kind = 'picture' AND value = old.id;
    END;
    """

  private static let chosenCovers = """
    CREATE TRIGGER album_cover_chosen AFTER INSERT ON group_attribute WHEN new.scope = 'album' AND new.name = 'cover' BEGIN
      INSERT INTO album_due SELECT 'album', id FROM album
       WHERE known_title = new.album AND known_artist = new.artist
         AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
    END;

    CREATE TRIGGER album_cover_changed AFTER UPDATE ON group_attribute
    WHEN new.scope = 'album' AND (new.name = 'cover' OR old.name = 'cover') BEGIN
      INSERT INTO album_due SELECT 'album', id FROM album
       WHERE known_title = old.album AND known_artist = old.artist
         AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
      INSERT INTO album_due SELECT 'album', id FROM album
       WHERE known_title = new.album AND known_artist = new.artist
         AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
    END;

    CREATE TRIGGER album_cover_forgotten AFTER DELETE ON group_attribute WHEN old.scope = 'album' AND old.name = 'cover' BEGIN
      INSERT INTO album_due SELECT 'album', id FROM album
       WHERE known_title = old.album AND known_artist = old.artist
         AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
    END;
    """

  /// What noted albums before did so with `INSERT OR IGNORE`, which the conflict clause of a statement around it overrides.
  private static let dueTriggers = """
    DROP TRIGGER IF EXISTS album_due_added;
    DROP TRIGGER IF EXISTS album_due_changed;
    DROP TRIGGER IF EXISTS album_due_removed;
    DROP TRIGGER IF EXISTS album_choice_made;
    DROP TRIGGER IF EXISTS album_choice_changed;
    DROP TRIGGER IF EXISTS album_choice_removed;

    CREATE TRIGGER album_due_added AFTER INSERT ON file BEGIN
      INSERT INTO album_due SELECT 'file', new.id
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'file' AND value = new.id);
    END;

    CREATE TRIGGER album_due_changed AFTER UPDATE OF root_id, path, last_state, missing_since, audio_id, stream_id, title, artist, album,
      albumartist, year, track, disc, duration_s, extracted_at ON file BEGIN
      INSERT INTO album_due SELECT 'file', new.id
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'file' AND value = new.id);
    END;

    CREATE TRIGGER album_due_removed AFTER DELETE ON file BEGIN
      INSERT INTO album_due SELECT 'shelf', old.album_shelf
       WHERE old.album_shelf IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = old.album_shelf);
      INSERT INTO album_due SELECT 'folder', old.album_folder
       WHERE old.album_folder IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'folder' AND value = old.album_folder);
      INSERT INTO album_due SELECT 'album', old.album_id
       WHERE old.album_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = old.album_id);
      DELETE FROM album_due WHERE kind = 'file' AND value = old.id;
    END;

    CREATE TRIGGER album_choice_made AFTER INSERT ON album_choice BEGIN
      INSERT INTO album_due SELECT 'shelf', new.shelf
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = new.shelf);
    END;

    CREATE TRIGGER album_choice_changed AFTER UPDATE ON album_choice BEGIN
      INSERT INTO album_due SELECT 'shelf', old.shelf
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = old.shelf);
      INSERT INTO album_due SELECT 'shelf', new.shelf
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = new.shelf);
    END;

    CREATE TRIGGER album_choice_removed AFTER DELETE ON album_choice BEGIN
      INSERT INTO album_due SELECT 'shelf', old.shelf
       WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = old.shelf);
    END;
    """
}
