internal import LibraryDatabase

extension Migrations {
  /// 14: how loud and bright albums are, and which files have lyrics beside them. The next scan finds these.
  @Sendable static func addAlbumSoundAndLyrics(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE file ADD COLUMN
          has_lyrics_beside INTEGER NOT NULL DEFAULT 0 CHECK (has_lyrics_beside IN (0, 1));
        CREATE INDEX file_with_lyrics_beside ON file (root_id, path) WHERE has_lyrics_beside;
        """)
    guard try !hasAlbumSound(db) else { return }
    try addAlbumSound(db)
    try AlbumWriter.settleAll(db)
  }

  /// What the writer of albums needs, also in the steps before, which use it.
  static func addAlbumSound(_ db: Database) throws {
    guard try !hasAlbumSound(db) else { return }
    try db.execute(
      sql: """
        ALTER TABLE album ADD COLUMN loudness_lufs REAL;
        ALTER TABLE album ADD COLUMN brightness_hz REAL;
        \(measuredTriggers)
        """)
  }

  private static func hasAlbumSound(_ db: Database) throws -> Bool {
    try db.columns(in: "album").contains { $0.name == "loudness_lufs" }
  }

  private static let measuredTriggers = """
    CREATE TRIGGER album_due_measured AFTER INSERT ON measures BEGIN
      INSERT INTO album_due
        SELECT DISTINCT 'album', album_id FROM file
         WHERE audio_id = new.audio_id AND missing_since IS NULL AND album_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album_id);
    END;

    CREATE TRIGGER album_due_measured_again AFTER UPDATE OF loudness_lufs, centroid_hz ON measures BEGIN
      INSERT INTO album_due
        SELECT DISTINCT 'album', album_id FROM file
         WHERE audio_id = new.audio_id AND missing_since IS NULL AND album_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album_id);
    END;
    """
}
