internal import LibraryDatabase

extension Migrations {
  /// 12: what was written into music files, how to take it back, and folders in which nothing is written.
  @Sendable static func addFileChanges(_ db: Database) throws {
    guard try !db.tableExists("file_change") else { return }
    try db.execute(
      sql: """
        ALTER TABLE root ADD COLUMN is_protected INTEGER NOT NULL DEFAULT 0 CHECK (is_protected IN (0, 1));
        """)
    try db.execute(sql: fileChangeTables)
  }

  private static let fileChangeTables = """
    CREATE TABLE file_change (
      id             INTEGER PRIMARY KEY AUTOINCREMENT,
      summary        TEXT NOT NULL,
      made_at        INTEGER NOT NULL,
      last_change_id INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE file_change_part (
      id        INTEGER PRIMARY KEY,
      change_id INTEGER NOT NULL REFERENCES file_change (id) ON DELETE CASCADE,
      file_key  BLOB NOT NULL CHECK (length(file_key) = 16),
      path      BLOB NOT NULL,
      path_text TEXT NOT NULL,
      state     TEXT NOT NULL CHECK (state IN ('planned', 'done', 'undoing', 'undone', 'foreign')),
      temporary BLOB,
      old_hash  BLOB NOT NULL CHECK (length(old_hash) = 16),
      new_hash  BLOB NOT NULL CHECK (length(new_hash) = 16),
      undo      BLOB NOT NULL
    ) STRICT;

    CREATE INDEX file_change_part_by_change ON file_change_part (change_id);
    CREATE INDEX file_change_part_open ON file_change_part (id) WHERE state IN ('planned', 'undoing');

    CREATE TABLE file_change_picture (
      hash    BLOB NOT NULL CHECK (length(hash) = 16),
      part_id INTEGER NOT NULL REFERENCES file_change_part (id) ON DELETE CASCADE,
      PRIMARY KEY (hash, part_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX file_change_picture_by_part ON file_change_picture (part_id);
    """
}
