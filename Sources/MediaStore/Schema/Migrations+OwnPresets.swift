internal import LibraryDatabase

extension Migrations {
  /// 8: assignments of presets belong to persons; those that are there are the owner's.
  @Sendable static func addOwnPresets(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE preset_assignment RENAME TO former_preset_assignment;
        \(table)
        INSERT INTO preset_assignment
                    (scope, hash, artist, album, start_frame, end_frame, preset_id, built_in, is_on, label, assigned_at)
          SELECT scope, hash, artist, album, start_frame, end_frame, preset_id, built_in, is_on, label, assigned_at
            FROM former_preset_assignment;
        DROP TABLE former_preset_assignment;
        CREATE INDEX preset_assignment_by_preset ON preset_assignment (preset_id);
        """)
  }

  /// The columns of the key come first: the integrity check of SQLite 3.40 misreads tables without a row id in which one of
  /// them comes after others.
  private static let table = """
    CREATE TABLE preset_assignment (
      scope       TEXT NOT NULL CHECK (scope IN ('part', 'track', 'album', 'artist', 'library')),
      hash        BLOB NOT NULL,
      artist      TEXT NOT NULL,
      album       TEXT NOT NULL,
      start_frame INTEGER NOT NULL DEFAULT 0,
      end_frame   INTEGER NOT NULL DEFAULT 0,
      person_id   INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
      preset_id   INTEGER REFERENCES preset (id),
      built_in    TEXT,
      is_on       INTEGER NOT NULL CHECK (is_on IN (0, 1)),
      label       TEXT NOT NULL,
      assigned_at INTEGER NOT NULL,
      PRIMARY KEY (scope, hash, artist, album, start_frame, end_frame, person_id),
      CHECK ((scope IN ('part', 'track')) = (length(hash) = 16) AND (scope = 'album') = (album <> '')
             AND (scope = 'part') = (end_frame > start_frame)),
      CHECK (preset_id IS NULL OR built_in IS NULL),
      CHECK (is_on = 0 OR coalesce(preset_id, built_in) IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    """
}
