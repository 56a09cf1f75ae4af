internal import LibraryDatabase

extension Migrations {
  /// 6: persons, to whom lists and attributes belong, and one journal for everything that users decide.
  static func addPersons(_ db: Database) throws {
    // Of a table that others refer to, the old one goes last: deleting its rows would delete theirs.
    let former = ["list_entry", "list", "attribute", "preset_change_row", "preset_change"]
    for table in former { try db.execute(sql: "ALTER TABLE \(table) RENAME TO former_\(table)") }
    try db.execute(sql: tables)
    try db.execute(
      sql: """
        INSERT INTO person (id, key, name) VALUES (1, randomblob(16), 'owner');
        INSERT INTO list (id, name, query, changed_at) SELECT id, name, query, changed_at FROM former_list;
        INSERT INTO list_entry (list_id, position, audio_id) SELECT list_id, position, audio_id FROM former_list_entry;
        INSERT INTO attribute (audio_id, name, value) SELECT audio_id, name, value FROM former_attribute;
        INSERT INTO change (id, summary, made_at, undone_at)
          SELECT id, summary, made_at, undone_at FROM former_preset_change;
        INSERT INTO change_row (change_id, position, table_name, before, after)
          SELECT change_id, position, table_name, before, after FROM former_preset_change_row;
        DELETE FROM sqlite_sequence WHERE name = 'change';
        UPDATE sqlite_sequence SET name = 'change' WHERE name = 'former_preset_change';
        """)
    for table in former { try db.execute(sql: "DROP TABLE former_\(table)") }
    try db.execute(
      sql: """
        CREATE INDEX list_entry_by_audio ON list_entry (audio_id);
        CREATE INDEX attribute_by_name ON attribute (person_id, name);
        CREATE INDEX play_by_time ON play (person_id, started_at);
        """)
  }

  private static let tables = """
    CREATE TABLE person (
      id       INTEGER PRIMARY KEY AUTOINCREMENT,
      key      BLOB NOT NULL UNIQUE CHECK (length(key) = 16),
      name     TEXT NOT NULL UNIQUE COLLATE NOCASE,
      is_owner INTEGER GENERATED ALWAYS AS (id = 1) VIRTUAL
    ) STRICT;

    CREATE TABLE list (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      person_id  INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
      name       TEXT NOT NULL COLLATE NOCASE,
      query      TEXT,
      changed_at INTEGER NOT NULL,
      UNIQUE (person_id, name)
    ) STRICT;

    CREATE TABLE list_entry (
      list_id  INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      audio_id INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
      PRIMARY KEY (list_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE play (
      hash        BLOB NOT NULL CHECK (length(hash) = 16),
      person_id   INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
      started_at  INTEGER NOT NULL,
      seconds     REAL NOT NULL,
      is_finished INTEGER NOT NULL CHECK (is_finished IN (0, 1)),
      PRIMARY KEY (hash, person_id, started_at)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE attribute (
      audio_id  INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
      name      TEXT NOT NULL,
      person_id INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
      value     TEXT NOT NULL,
      PRIMARY KEY (audio_id, name, person_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE change (
      id        INTEGER PRIMARY KEY AUTOINCREMENT,
      summary   TEXT NOT NULL,
      made_at   INTEGER NOT NULL,
      undone_at INTEGER
    ) STRICT;

    CREATE TABLE change_row (
      change_id  INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      position   INTEGER NOT NULL,
      table_name TEXT NOT NULL CHECK (table_name IN (
                   'preset', 'preset_assignment', 'list', 'list_entry', 'attribute')),
      before     TEXT,
      after      TEXT,
      PRIMARY KEY (change_id, position)
    ) STRICT, WITHOUT ROWID;
    """
}
