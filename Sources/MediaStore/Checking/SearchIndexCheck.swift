internal import GRDB

/// Compares the search index with the texts of the files, without keeping either: sums over the runs of three characters
/// of groups of files.
struct SearchIndexCheck {
  private static let groupCount = 4096
  private var sums = [UInt64](repeating: 0, count: groupCount)

  /// How many groups of files have other runs in the index than in their texts; `temp.search_hit` has the index.
  static func wrongGroupCount(_ db: Database) throws -> Int {
    var check = SearchIndexCheck()
    // A byte of the index at a time would be no faster: SQLite hands out the terms in order.
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
      // Where characters begin: bytes that continue one look like 10xxxxxx.
      let starts = bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
      for index in starts.indices.dropLast(3) { runs.insert(bytes[starts[index]..<starts[index + 3]]) }
      for run in runs { try check.remove(run, of: file[0]) }
    }
    return check.sums.count { $0 != 0 }
  }

  /// What SQLite's tokenizer takes a text for: it reads U+FFFE and U+FFFF (EF BF BE, EF BF BF) as U+FFFD (EF BF BD).
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

  /// Any function that spreads well: FNV-1a, mixed once more.
  private static func hash(_ run: ArraySlice<UInt8>, _ file: Int64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in run { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ UInt64(bitPattern: file)) &* 0x9E37_79B9_7F4A_7C15
    return (hash ^ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
  }
}
