internal import LibraryDatabase

extension Migrations {
  /// 7: keys of files for clients, and what people who listen through clients decide: about albums and artists, about
  /// their lists, and what they hear next.
  @Sendable static func addListeners(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE file ADD COLUMN key BLOB CHECK (length(key) = 16);
        UPDATE file SET key = randomblob(16);
        CREATE UNIQUE INDEX file_by_key ON file (key);
        CREATE TRIGGER file_key_given AFTER INSERT ON file WHEN new.key IS NULL BEGIN
          UPDATE file SET key = randomblob(16) WHERE id = new.id;
        END;

        ALTER TABLE list ADD COLUMN comment TEXT;
        ALTER TABLE list ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1));
        ALTER TABLE list ADD COLUMN created_at INTEGER;

        ALTER TABLE change_row RENAME TO former_change_row;
        \(listenerTables)
        INSERT INTO change_row (change_id, position, table_name, before, after)
          SELECT change_id, position, table_name, before, after FROM former_change_row;
        DROP TABLE former_change_row;
        CREATE INDEX group_attribute_by_name ON group_attribute (person_id, name);
        """)
  }

  private static let listenerTables = """
    CREATE TABLE group_attribute (
      scope     TEXT NOT NULL CHECK (scope IN ('album', 'artist')),
      artist    TEXT NOT NULL,
      album     TEXT NOT NULL,
      name      TEXT NOT NULL,
      person_id INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
      value     TEXT NOT NULL,
      PRIMARY KEY (scope, artist, album, name, person_id),
      CHECK (scope = 'album' OR album = '')
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE play_queue (
      person_id   INTEGER PRIMARY KEY REFERENCES person (id),
      hashes      BLOB NOT NULL CHECK (length(hashes) % 16 = 0),
      place       INTEGER,
      position_ms INTEGER NOT NULL,
      changed_at  INTEGER NOT NULL,
      changed_by  TEXT NOT NULL
    ) STRICT;

    CREATE TABLE change_row (
      change_id  INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      position   INTEGER NOT NULL,
      table_name TEXT NOT NULL CHECK (table_name IN (
                   'preset', 'preset_assignment', 'list', 'list_entry', 'attribute', 'group_attribute')),
      before     TEXT,
      after      TEXT,
      PRIMARY KEY (change_id, position)
    ) STRICT, WITHOUT ROWID;
    """
}
