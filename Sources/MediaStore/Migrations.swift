internal import GRDB

/// The steps from each schema version to the next; `schema.sql` is the sum of them.
enum Migrations {
  /// The version that `schema.sql` has and this program supports.
  static let currentVersion = 3

  /// `steps[k]` makes version `k + 2` of version `k + 1`, in one transaction.
  static let steps: [@Sendable (Database) throws -> Void] = [addLoudnessAndSpectrum, addSearch]

  /// Brings an older library up to date: all of it, or nothing.
  static func run(_ db: Database) throws {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found >= 1, found < currentVersion else { return }
    for (index, step) in steps.enumerated().dropFirst(found - 1) {
      try step(db)
      try db.execute(sql: "PRAGMA user_version = \(index + 2)")
    }
  }

  /// 2: loudness, true peak and the shape of the spectrum among the measures; the files of an album by an index.
  @Sendable private static func addLoudnessAndSpectrum(_ db: Database) throws {
    let names = [
      "loudness_lufs", "loudness_range_lu", "momentary_max_lufs", "short_term_max_lufs", "true_peak_dbtp",
      "centroid_hz", "rolloff85_hz", "rolloff95_hz", "flatness", "cutoff_hz", "cutoff_confidence",
    ]
    for name in names { try db.execute(sql: "ALTER TABLE measures ADD COLUMN \(name) REAL") }
    try db.execute(sql: "CREATE INDEX file_by_album ON file (album)")
  }
}
