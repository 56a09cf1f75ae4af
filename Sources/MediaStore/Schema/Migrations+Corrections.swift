internal import LibraryDatabase

extension Migrations {
  /// 12: corrections of tags, and what files say themselves.
  @Sendable static func addCorrections(_ db: Database) throws {
    try db.execute(sql: correctionTables)
    try db.execute(sql: ownTagTables)
    try db.execute(
      sql: """
        ALTER TABLE change_row RENAME TO former_change_row;
        DROP INDEX change_row_of_groups;
        \(changeRowWithCorrections)
        INSERT INTO change_row (change_id, position, table_name, before, after)
          SELECT change_id, position, table_name, before, after FROM former_change_row;
        DROP TABLE former_change_row;
        """)
  }

  private static let correctionTables = """
    CREATE TABLE correction (
      scope        TEXT NOT NULL CHECK (scope IN ('recording', 'file')),
      subject      BLOB NOT NULL CHECK (length(subject) = 16),
      field        TEXT NOT NULL,
      value        TEXT NOT NULL,
      base         TEXT NOT NULL,
      corrected_at INTEGER NOT NULL,
      PRIMARY KEY (scope, subject, field)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER correction_made AFTER INSERT ON correction BEGIN
      INSERT INTO correction_due
        SELECT id FROM file WHERE new.scope = 'file' AND key = new.subject
           AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
      INSERT INTO correction_due
        SELECT file.id FROM audio CROSS JOIN file ON file.audio_id = audio.id
         WHERE new.scope = 'recording' AND audio.hash = new.subject
           AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
    END;

    CREATE TRIGGER correction_changed AFTER UPDATE ON correction BEGIN
      INSERT INTO correction_due
        SELECT id FROM file WHERE new.scope = 'file' AND key IN (old.subject, new.subject)
           AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
      INSERT INTO correction_due
        SELECT file.id FROM audio CROSS JOIN file ON file.audio_id = audio.id
         WHERE new.scope = 'recording' AND audio.hash IN (old.subject, new.subject)
           AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
    END;

    CREATE TRIGGER correction_removed AFTER DELETE ON correction BEGIN
      INSERT INTO correction_due
        SELECT id FROM file WHERE old.scope = 'file' AND key = old.subject
           AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
      INSERT INTO correction_due
        SELECT file.id FROM audio CROSS JOIN file ON file.audio_id = audio.id
         WHERE old.scope = 'recording' AND audio.hash = old.subject
           AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
    END;
    """

  private static let ownTagTables = """
    CREATE TABLE own_tag (
      file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
      field   TEXT NOT NULL,
      tags    TEXT NOT NULL,
      state   TEXT NOT NULL CHECK (state IN ('active', 'satisfied', 'conflict')),
      PRIMARY KEY (file_id, field)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX own_tag_by_state ON own_tag (state);

    CREATE TABLE correction_due (
      file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE
    ) STRICT;

    CREATE TRIGGER correction_due_added AFTER INSERT ON file
    WHEN EXISTS (SELECT 1 FROM correction WHERE scope = 'file' AND subject = new.key)
      OR EXISTS (SELECT 1 FROM correction
                  WHERE scope = 'recording' AND subject = (SELECT hash FROM audio WHERE id = new.audio_id)) BEGIN
      INSERT INTO correction_due SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = new.id);
    END;

    CREATE TRIGGER correction_due_changed AFTER UPDATE OF audio_id, key, extracted_at ON file
    WHEN EXISTS (SELECT 1 FROM own_tag WHERE file_id = new.id)
      OR EXISTS (SELECT 1 FROM correction WHERE scope = 'file' AND subject = new.key)
      OR EXISTS (SELECT 1 FROM correction
                  WHERE scope = 'recording' AND subject = (SELECT hash FROM audio WHERE id = new.audio_id)) BEGIN
      INSERT INTO correction_due SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = new.id);
    END;
    """

  private static let changeRowWithCorrections = """
    CREATE TABLE change_row (
      change_id  INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      position   INTEGER NOT NULL,
      table_name TEXT NOT NULL CHECK (table_name IN (
                   'preset', 'preset_assignment', 'list', 'list_entry', 'attribute', 'group_attribute', 'album_choice',
                   'correction')),
      before     TEXT,
      after      TEXT,
      PRIMARY KEY (change_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX change_row_of_groups ON change_row (change_id) WHERE table_name = 'group_attribute';
    """
}
