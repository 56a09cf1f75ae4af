internal import GRDB

/// The steps from each schema version to the next; together they lead to `schema.sql`.
enum Migrations {
  /// `steps[k]` migrates version `k + 1` to version `k + 2`, in one transaction.
  static let steps: [@Sendable (Database) throws -> Void] = [
    addLoudnessAndSpectrum, addSearch, addPresets, addReanalysis,
  ]

  /// Migrates an older library; all or nothing.
  static func run(_ db: Database) throws {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found >= 1, found < LibraryHeader.currentVersion else { return }
    for (index, step) in steps.enumerated().dropFirst(found - 1) {
      try step(db)
      try db.execute(sql: "PRAGMA user_version = \(index + 2)")
    }
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
