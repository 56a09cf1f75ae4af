internal import LibraryDatabase
internal import MediaModel

extension Migrations {
  /// 7: tempo and key of recordings, and of files by their tags.
  ///
  /// What tags say is read here; what is measured comes with the next `reanalyze --missing`.
  @Sendable static func addTempoAndKey(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE file ADD COLUMN tag_bpm REAL;
        ALTER TABLE file ADD COLUMN tag_key INTEGER;
        ALTER TABLE file ADD COLUMN bpm REAL;
        ALTER TABLE file ADD COLUMN musical_key INTEGER;
        """)
    try db.execute(sql: tempoTables)
    let files = try Row.fetchCursor(
      db,
      sql: """
        SELECT DISTINCT file_id FROM tag
         WHERE name_id IN (SELECT id FROM tag_name WHERE name IN ('BPM', 'TEMPO', 'INITIALKEY', 'KEY'))
        """)
    var ids: [Int64] = []
    while let row = try files.next() { try ids.append(row[0]) }
    for id in ids {
      let tags = CommonTags(try Tags(ofFile: id, db))
      try db.cachedStatement(sql: "UPDATE file SET tag_bpm = ?, tag_key = ? WHERE id = ?").execute(
        arguments: [tags.beatsPerMinute, tags.key?.number, id])
    }
    // Last, so that filling the columns is not slowed down.
    try db.execute(
      sql: "CREATE INDEX file_by_bpm ON file (bpm); CREATE INDEX file_by_musical_key ON file (musical_key)")
  }

  private static let tempoTables = """
    CREATE TABLE tempo_key (
      audio_id       INTEGER PRIMARY KEY REFERENCES audio (id) ON DELETE CASCADE,
      bpm            REAL,
      bpm_confidence REAL,
      bpm_stability  REAL,
      musical_key    INTEGER,
      key_confidence REAL,
      tuning_cents   REAL
    ) STRICT;

    CREATE TRIGGER tempo_key_added AFTER INSERT ON tempo_key BEGIN
      UPDATE file SET bpm = coalesce(tag_bpm, new.bpm), musical_key = coalesce(tag_key, new.musical_key)
       WHERE audio_id = new.audio_id;
    END;

    CREATE TRIGGER tempo_key_changed AFTER UPDATE ON tempo_key BEGIN
      UPDATE file SET bpm = coalesce(tag_bpm, new.bpm), musical_key = coalesce(tag_key, new.musical_key)
       WHERE audio_id = new.audio_id;
    END;

    CREATE TRIGGER tempo_key_removed AFTER DELETE ON tempo_key BEGIN
      UPDATE file SET bpm = tag_bpm, musical_key = tag_key WHERE audio_id = old.audio_id;
    END;

    CREATE TRIGGER file_tempo_added AFTER INSERT ON file WHEN new.audio_id IS NOT NULL BEGIN
      UPDATE file
         SET bpm = coalesce(tag_bpm, (SELECT bpm FROM tempo_key WHERE audio_id = new.audio_id)),
             musical_key = coalesce(tag_key, (SELECT musical_key FROM tempo_key WHERE audio_id = new.audio_id))
       WHERE id = new.id;
    END;

    CREATE TRIGGER file_tempo_changed AFTER UPDATE OF audio_id, tag_bpm, tag_key ON file BEGIN
      UPDATE file
         SET bpm = coalesce(tag_bpm, (SELECT bpm FROM tempo_key WHERE audio_id = new.audio_id)),
             musical_key = coalesce(tag_key, (SELECT musical_key FROM tempo_key WHERE audio_id = new.audio_id))
       WHERE id = new.id;
    END;
    """
}
