internal import LibraryDatabase

extension Migrations {
  /// 6: parts of files, the CUE sheets beside them, and presets of parts.
  static func addParts(_ db: Database) throws {
    try db.execute(sql: "ALTER TABLE preset_assignment RENAME TO former_preset_assignment")
    try db.execute(sql: tables)
    try db.execute(
      sql: """
        INSERT INTO preset_assignment (scope, hash, artist, album, preset_id, built_in, is_on, label, assigned_at)
          SELECT scope, hash, artist, album, preset_id, built_in, is_on, label, assigned_at
            FROM former_preset_assignment;
        DROP TABLE former_preset_assignment;
        CREATE INDEX preset_assignment_by_preset ON preset_assignment (preset_id);
        CREATE INDEX part_by_sheet ON part (sheet_id);
        CREATE VIEW file_part AS
          SELECT * FROM part
           WHERE source = 'cue-file'
              OR NOT EXISTS (SELECT 1 FROM part AS beside WHERE beside.file_id = part.file_id AND beside.source = 'cue-file');
        """)
  }

  private static let tables = """
    CREATE TABLE preset_assignment (
      scope       TEXT NOT NULL CHECK (scope IN ('part', 'track', 'album', 'artist', 'library')),
      hash        BLOB NOT NULL,
      artist      TEXT NOT NULL,
      album       TEXT NOT NULL,
      start_frame INTEGER NOT NULL DEFAULT 0,
      end_frame   INTEGER NOT NULL DEFAULT 0,
      preset_id   INTEGER REFERENCES preset (id),
      built_in    TEXT,
      is_on       INTEGER NOT NULL CHECK (is_on IN (0, 1)),
      label       TEXT NOT NULL,
      assigned_at INTEGER NOT NULL,
      PRIMARY KEY (scope, hash, artist, album, start_frame, end_frame),
      CHECK ((scope IN ('part', 'track')) = (length(hash) = 16) AND (scope = 'album') = (album <> '')
             AND (scope = 'part') = (end_frame > start_frame)),
      CHECK (preset_id IS NULL OR built_in IS NULL),
      CHECK (is_on = 0 OR coalesce(preset_id, built_in) IS NOT NULL)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE cue_sheet (
      id         INTEGER PRIMARY KEY,
      root_id    INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
      path       BLOB NOT NULL,
      path_text  TEXT NOT NULL,
      size_bytes INTEGER NOT NULL,
      mtime_ns   INTEGER NOT NULL,
      UNIQUE (root_id, path)
    ) STRICT;

    CREATE TABLE part (
      file_id     INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
      source      TEXT NOT NULL,
      position    INTEGER NOT NULL,
      sheet_id    INTEGER REFERENCES cue_sheet (id) ON DELETE CASCADE,
      start_frame INTEGER NOT NULL,
      end_frame   INTEGER NOT NULL,
      title       TEXT,
      artist      TEXT,
      songwriter  TEXT,
      genre       TEXT,
      date        TEXT,
      isrc        TEXT,
      PRIMARY KEY (file_id, source, position),
      CHECK (start_frame >= 0 AND end_frame > start_frame)
    ) STRICT, WITHOUT ROWID;
    """
}
