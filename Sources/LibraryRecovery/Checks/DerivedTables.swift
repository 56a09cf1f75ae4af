internal import LibraryDatabase
internal import MediaStore
internal import UserData

/// Compares the sums that triggers maintain with the rows.
enum KeptSums {
  /// Each table of sums, with a query for its rows: the key, then the amount to add up.
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

  /// The tables whose sums differ from a count.
  ///
  /// Rows are read one at a time: for a GROUP BY, SQLite would sort millions of them in memory.
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
      return counted == kept ? nil : name
    }
  }
}

/// Compares the search index with the texts of the files.
///
/// Neither is kept in memory: only sums over the trigrams of groups of files are compared.
struct SearchIndexCheck {
  private static let groupCount = 4096
  private var sums = [UInt64](repeating: 0, count: groupCount)

  /// The number of groups of files whose trigrams in the index (`temp.search_hit`) are not those of their texts.
  static func wrongGroupCount(_ db: Database) throws -> Int {
    var check = SearchIndexCheck()
    // SQLite returns the terms in order.
    let hits = try Row.fetchCursor(db, sql: "SELECT term, doc FROM temp.search_hit")
    var term: [UInt8] = []
    while let hit = try hits.next() {
      try hit.withUnsafeData(atIndex: 0) { term = $0.map { [UInt8]($0) } ?? [] }
      try check.add(term[...], of: hit[1])
    }
    let files = try Row.fetchCursor(db, sql: "SELECT id, text FROM search_source")
    var runs: Set<ArraySlice<UInt8>> = []
    while let file = try files.next() {
      runs.removeAll(keepingCapacity: true)
      let bytes = try Self.asRead(Array((file[1] as String).utf8))
      // Starts of characters: continuation bytes look like 10xxxxxx.
      let starts = bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
      for index in starts.indices.dropLast(3) { runs.insert(bytes[starts[index]..<starts[index + 3]]) }
      for run in runs { try check.remove(run, of: file[0]) }
    }
    return check.sums.count { $0 != 0 }
  }

  /// The text as SQLite's tokenizer sees it: it reads U+FFFE and U+FFFF (EF BF BE, EF BF BF) as U+FFFD (EF BF BD).
  private static func asRead(_ text: [UInt8]) -> [UInt8] {
    var bytes = text
    for index in bytes.indices.dropFirst(2) where bytes[index] >= 0xBE && bytes[index - 1] == 0xBF {
      if bytes[index - 2] == 0xEF, bytes[index] <= 0xBF { bytes[index] = 0xBD }
    }
    return bytes
  }

  private mutating func add(_ run: ArraySlice<UInt8>, of file: Int64) {
    sums[Int(UInt64(bitPattern: file) % UInt64(Self.groupCount))] &+= Self.hash(run, file)
  }

  private mutating func remove(_ run: ArraySlice<UInt8>, of file: Int64) {
    sums[Int(UInt64(bitPattern: file) % UInt64(Self.groupCount))] &-= Self.hash(run, file)
  }

  /// Any function with good distribution will do: FNV-1a, mixed once more.
  private static func hash(_ run: ArraySlice<UInt8>, _ file: Int64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in run { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ UInt64(bitPattern: file)) &* 0x9E37_79B9_7F4A_7C15
    return (hash ^ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
  }
}
