internal import GRDB

/// Compares the sums that triggers keep with the rows, which are read once and one at a time: SQLite would sort millions of
/// them in memory to group them.
enum KeptSums {
  /// Each table of sums, and the rows that it is about: its key, then what is added up.
  private static let sources = [
    ("file_tally", "SELECT root_id, state, size_bytes FROM file"),
    (
      "product_tally",
      """
      SELECT kind, version, parameters, byte_count FROM product
      UNION ALL SELECT 'measures', version, parameters, 0 FROM measures
      """
    ),
    (
      "audio_tally",
      """
      SELECT CASE WHEN present_count > 0 THEN 'present' WHEN file_count > 0 THEN 'missing' ELSE 'none' END,
             coalesce(sample_rate_hz, 0), coalesce(decoded_frames, 0) FROM audio
      """
    ),
  ]

  private struct Sum: Equatable {
    var count: Int64 = 0
    var amount: Int64 = 0
  }

  /// The tables that are not what a count gives.
  static func wrongTables(_ db: Database) throws -> [String] {
    try sources.compactMap { name, source in
      let rows = try Row.fetchCursor(db, sql: source)
      var counted: [[DatabaseValue]: Sum] = [:]
      while let row = try rows.next() {
        let key = Array(row.databaseValues.dropLast())
        counted[key, default: Sum()].count += 1
        counted[key, default: Sum()].amount &+= try row[key.count] as Int64
      }
      var kept: [[DatabaseValue]: Sum] = [:]
      for row in try Row.fetchAll(db, sql: "SELECT * FROM \(name)") {
        let key = Array(row.databaseValues.dropLast(2))
        kept[key] = try Sum(count: row[key.count], amount: row[key.count + 1])
      }
      return counted == kept ? nil : "\(name) is not what a count gives"
    }
  }
}
