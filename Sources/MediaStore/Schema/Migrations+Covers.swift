internal import LibraryDatabase

extension Migrations {
  /// 11: pictures beside files, and the cover of each album.
  @Sendable static func addCovers(_ db: Database) throws {
    guard try !db.tableExists("folder_picture") else { return }
    try addCoverTables(db)
    // It gives each file its folder, and each album a cover.
    try AlbumWriter.settleAll(db)
  }

  /// What the writer of albums needs, also in the step before, which uses it.
  static func addCoverTables(_ db: Database) throws {
    // All files are due again after it.
    try db.execute(sql: "DROP TABLE album_due; " + dueTable)
    try db.execute(sql: columns)
    try db.execute(sql: pictureTable)
    try db.execute(sql: chosenCovers)
  }

  private static let columns = """
    ALTER TABLE file ADD COLUMN folder INTEGER;
    CREATE INDEX file_by_folder ON file (folder);
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
      hash       BLOB CHECK (length(hash) = 16),
      mime_type  TEXT,
      problem    TEXT,
      UNIQUE (root_id, path),
      CHECK (iif(hash IS NULL, problem IS NOT NULL AND mime_type IS NULL, problem IS NULL AND mime_type IS NOT NULL))
    ) STRICT;

    CREATE INDEX folder_picture_by_folder ON folder_picture (folder, rank, path) WHERE hash IS NOT NULL;
    CREATE INDEX folder_picture_by_hash ON folder_picture (hash) WHERE hash IS NOT NULL;

    CREATE TRIGGER folder_picture_added AFTER INSERT ON folder_picture BEGIN
      INSERT OR IGNORE INTO album_due VALUES ('picture', new.id);
    END;

    CREATE TRIGGER folder_picture_changed AFTER UPDATE OF root_id, path, rank, hash ON folder_picture BEGIN
      INSERT OR IGNORE INTO album_due VALUES ('picture', new.id);
    END;

    CREATE TRIGGER folder_picture_removed AFTER DELETE ON folder_picture BEGIN
      INSERT OR IGNORE INTO album_due
        SELECT DISTINCT 'album', album_id FROM file
         WHERE (folder = old.folder OR album_folder = old.folder) AND album_id IS NOT NULL;
      DELETE FROM album_due WHERE kind = 'picture' AND value = old.id;
    END;
    """

  private static let chosenCovers = """
    CREATE TRIGGER album_cover_chosen AFTER INSERT ON group_attribute WHEN new.scope = 'album' AND new.name = 'cover' BEGIN
      INSERT OR IGNORE INTO album_due SELECT 'album', id FROM album WHERE known_title = new.album AND known_artist = new.artist;
    END;

    CREATE TRIGGER album_cover_changed AFTER UPDATE ON group_attribute
    WHEN new.scope = 'album' AND (new.name = 'cover' OR old.name = 'cover') BEGIN
      INSERT OR IGNORE INTO album_due SELECT 'album', id FROM album WHERE known_title = old.album AND known_artist = old.artist;
      INSERT OR IGNORE INTO album_due SELECT 'album', id FROM album WHERE known_title = new.album AND known_artist = new.artist;
    END;

    CREATE TRIGGER album_cover_forgotten AFTER DELETE ON group_attribute WHEN old.scope = 'album' AND old.name = 'cover' BEGIN
      INSERT OR IGNORE INTO album_due SELECT 'album', id FROM album WHERE known_title = old.album AND known_artist = old.artist;
    END;
    """
}
