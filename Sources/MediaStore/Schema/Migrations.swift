package import LibraryDatabase

/// The steps from each schema version to the next; together they lead to `schema.sql`.
package enum Migrations {
  /// `steps[k]` migrates version `k + 1` to version `k + 2`, in one transaction.
  package static let steps: [@Sendable (Database) throws -> Void] = [
    addLoudnessAndSpectrum, addSearch, addPresets, addReanalysis, addStreams,
    { db in
      try addListeners(db)
      try addTempoAndKey(db)
    },
    addOwnPresets, renewFoldedTexts, addAlbums, addCovers,
    { db in
      try addCorrections(db)
      try addFileChanges(db)
      try rememberFormerAlbums(db)
    },
    { db in
      try addQueueEdits(db)
      try addAlbumSound(db)
      // Folders whose files have an artist became albums.
      try AlbumWriter.settleAll(db)
    },
    addAlbumSoundAndLyrics,
  ]

  /// Migrates an older library; all or nothing.
  ///
  /// - Returns: whether it was older.
  @discardableResult package static func run(_ db: Database) throws -> Bool {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found >= 1, found < LibraryHeader.currentVersion else { return false }
    for (index, step) in steps.enumerated().dropFirst(found - 1) {
      try step(db)
      try db.execute(sql: "PRAGMA user_version = \(index + 2)")
    }
    return true
  }

  /// 2: loudness, true peak and the shape of the spectrum as measures; an index on albums.
  @Sendable private static func addLoudnessAndSpectrum(_ db: Database) throws {
    let names = [
      "loudness_lufs", "loudness_range_lu", "momentary_max_lufs", "short_term_max_lufs", "true_peak_dbtp",
      "centroid_hz", "rolloff85_hz", "rolloff95_hz", "flatness", "cutoff_hz", "cutoff_confidence",
    ]
    for name in names { try db.execute(sql: "ALTER TABLE measures ADD COLUMN \(name) REAL") }
    try db.execute(sql: "CREATE INDEX file_by_album ON file (album)")
  }

  /// 4: presets, their assignments, and the journal of both.
  @Sendable private static func addPresets(_ db: Database) throws {
    try db.execute(sql: presetTables)
    try db.execute(sql: "CREATE INDEX preset_assignment_by_preset ON preset_assignment (preset_id)")
  }

  /// 5: runs of reanalyses, and the progress of forced ones.
  @Sendable private static func addReanalysis(_ db: Database) throws {
    try db.execute(sql: reanalysisTables)
    try db.execute(sql: "CREATE INDEX forced_recording_by_audio ON forced_recording (audio_id)")
  }

  /// 6: streams between files and recordings, former hashes, persons, and the mark that binds the log to the file.
  ///
  /// Each recording so far becomes a stream whose hash is still of version 1. The next scan that reads its file claims
  /// it.
  @Sendable private static func addStreams(_ db: Database) throws {
    try db.execute(sql: streamTables)
    try db.execute(
      sql: """
        INSERT INTO stream (id, audio_id, hash, hash_version, payload_bytes, codec, bits, bitrate_bps)
          SELECT id, id, hash, 1, payload_bytes, codec, bits, bitrate_bps FROM audio;
        UPDATE file
           SET stream_id = audio_id, (container, declared_frames, decoded_frames, delay_frames, padding_frames, duration_s)
               = (SELECT container, declared_frames, decoded_frames, delay_frames, padding_frames, duration_s
                    FROM audio WHERE audio.id = file.audio_id)
         WHERE audio_id IS NOT NULL;
        UPDATE audio
           SET statement = iif(state = 'ok', 'sound', 'unsound') || coalesce(' delay=' || delay_frames, '')
                           || iif(codec IN ('mp1', 'mp2', 'mp3', 'vorbis', 'opus'), ' frames=' || decoded_frames, '')
         WHERE decoded_frames IS NOT NULL;
        DROP INDEX audio_by_duration;
        DROP INDEX audio_by_bitrate;
        """)
    for column in ["payload_bytes", "container", "codec", "bits", "bitrate_bps", "declared_frames"] {
      try db.execute(sql: "ALTER TABLE audio DROP COLUMN \(column)")
    }
    try db.execute(
      sql: """
        CREATE INDEX file_by_stream ON file (stream_id);
        CREATE INDEX file_by_duration ON file (duration_s);
        CREATE INDEX stream_by_audio ON stream (audio_id);
        CREATE INDEX stream_by_bitrate ON stream (bitrate_bps);
        CREATE INDEX former_hash_by_current ON former_hash (current);
        CREATE TABLE log_mark (
          id       INTEGER PRIMARY KEY CHECK (id = 1),
          previous BLOB,
          current  BLOB NOT NULL
        ) STRICT;
        INSERT INTO log_mark VALUES (1, NULL, randomblob(16));
        """)
    try addPersons(db)
    try addParts(db)
  }

  private static let streamTables = """
    CREATE TABLE stream (
      id            INTEGER PRIMARY KEY,
      audio_id      INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
      hash          BLOB NOT NULL UNIQUE CHECK (length(hash) = 16),
      hash_version  INTEGER NOT NULL,
      payload_bytes INTEGER,
      codec         TEXT,
      bits          INTEGER,
      bitrate_bps   INTEGER
    ) STRICT;

    CREATE TABLE former_hash (
      id      INTEGER PRIMARY KEY,
      hash    BLOB NOT NULL CHECK (length(hash) = 16),
      current BLOB NOT NULL CHECK (length(current) = 16),
      is_key  INTEGER NOT NULL CHECK (is_key IN (0, 1)),
      UNIQUE (hash, current)
    ) STRICT;

    ALTER TABLE file ADD COLUMN stream_id INTEGER REFERENCES stream (id);
    ALTER TABLE file ADD COLUMN container TEXT;
    ALTER TABLE file ADD COLUMN declared_frames INTEGER;
    ALTER TABLE file ADD COLUMN decoded_frames INTEGER;
    ALTER TABLE file ADD COLUMN delay_frames INTEGER;
    ALTER TABLE file ADD COLUMN padding_frames INTEGER;
    ALTER TABLE file ADD COLUMN duration_s REAL;
    ALTER TABLE file ADD COLUMN statement TEXT;
    ALTER TABLE file ADD COLUMN verified_at INTEGER;

    ALTER TABLE audio ADD COLUMN basis TEXT NOT NULL DEFAULT 'stream' CHECK (basis IN ('samples', 'stream'));
    ALTER TABLE audio ADD COLUMN statement TEXT;
    """

  private static let presetTables = """
    CREATE TABLE preset (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      name_key   TEXT NOT NULL UNIQUE,
      name       TEXT NOT NULL,
      document   TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE preset_assignment (
      scope       TEXT NOT NULL CHECK (scope IN ('track', 'album', 'artist', 'library')),
      hash        BLOB NOT NULL,
      artist      TEXT NOT NULL,
      album       TEXT NOT NULL,
      preset_id   INTEGER REFERENCES preset (id),
      built_in    TEXT,
      is_on       INTEGER NOT NULL CHECK (is_on IN (0, 1)),
      label       TEXT NOT NULL,
      assigned_at INTEGER NOT NULL,
      PRIMARY KEY (scope, hash, artist, album),
      CHECK ((scope = 'track') = (length(hash) = 16) AND (scope = 'album') = (album <> '')),
      CHECK (preset_id IS NULL OR built_in IS NULL),
      CHECK (is_on = 0 OR coalesce(preset_id, built_in) IS NOT NULL)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE preset_change (
      id        INTEGER PRIMARY KEY AUTOINCREMENT,
      summary   TEXT NOT NULL,
      made_at   INTEGER NOT NULL,
      undone_at INTEGER
    ) STRICT;

    CREATE TABLE preset_change_row (
      change_id  INTEGER NOT NULL REFERENCES preset_change (id) ON DELETE CASCADE,
      position   INTEGER NOT NULL,
      table_name TEXT NOT NULL CHECK (table_name IN ('preset', 'preset_assignment')),
      before     TEXT,
      after      TEXT,
      PRIMARY KEY (change_id, position)
    ) STRICT, WITHOUT ROWID;
    """

  private static let reanalysisTables = """
    CREATE TABLE reanalysis (
      id            INTEGER PRIMARY KEY,
      process_id    INTEGER NOT NULL,
      started_at    INTEGER NOT NULL,
      ended_at      INTEGER,
      products      TEXT NOT NULL,
      decoded_files INTEGER,
      audio_s       REAL,
      elapsed_s     REAL
    ) STRICT;

    CREATE TABLE forced_run (
      id         INTEGER PRIMARY KEY,
      recipes    TEXT NOT NULL,
      query      TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      UNIQUE (recipes, query)
    ) STRICT;

    CREATE TABLE forced_recording (
      run_id   INTEGER NOT NULL REFERENCES forced_run (id) ON DELETE CASCADE,
      audio_id INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
      PRIMARY KEY (run_id, audio_id)
    ) STRICT, WITHOUT ROWID;

    """
}
