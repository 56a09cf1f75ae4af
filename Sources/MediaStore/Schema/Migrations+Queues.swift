internal import LibraryDatabase

extension Migrations {
  /// 13: queues that are edited, and the one before the latest replacement.
  @Sendable static func addQueueEdits(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE play_queue RENAME TO former_play_queue;
        \(queueTable)
        INSERT INTO play_queue (person_id, hashes, place, position_ms, changed_at, changed_by)
          SELECT person_id, hashes, place, position_ms, changed_at, changed_by FROM former_play_queue;
        DROP TABLE former_play_queue;
        """)
  }

  private static let queueTable = """
    CREATE TABLE play_queue (
      person_id   INTEGER NOT NULL REFERENCES person (id),
      is_former   INTEGER NOT NULL DEFAULT 0 CHECK (is_former IN (0, 1)),
      hashes      BLOB NOT NULL CHECK (length(hashes) % 16 = 0),
      place       INTEGER,
      position_ms INTEGER NOT NULL,
      changed_at  INTEGER NOT NULL,
      changed_by  TEXT NOT NULL,
      version     INTEGER NOT NULL DEFAULT 0,
      entries     BLOB NOT NULL DEFAULT x'',
      edits       BLOB NOT NULL DEFAULT x'',
      source      TEXT,
      PRIMARY KEY (person_id, is_former),
      CHECK (length(entries) IN (0, 2 * length(hashes)))
    ) STRICT;
    """
}
