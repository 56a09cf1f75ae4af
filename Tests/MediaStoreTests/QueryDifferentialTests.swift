import MediaModel
import MediaStore
import TestSupport
import Testing

/// Compiled SQL against a naive evaluator over the same made-up files, for random queries with a fixed seed.
struct QueryDifferentialTests {
  @Test func `SQL finds what a naive evaluator finds`() throws {
    let library = try TemporaryLibrary()
    var generator = RepeatableRandom(seed: 2026)
    let files = (0..<150).map { NaiveFile($0, using: &generator) }
    try library.store.apply(files.map { .extracted($0.record) })
    let vocabulary = library.store.vocabulary
    let path = try #require(vocabulary["path"])
    var matchCount = 0
    for _ in 0..<2_000 {
      let text = RandomQuery.text(depth: 0, using: &generator)
      let query = try Query(text, vocabulary: vocabulary, now: 1_700_000_000)
      // A file without a sound and without a problem never claimed to be audio, and is not listed.
      let expected = files.filter { file in
        file.record.extraction.payloadHash != nil && query.condition.map(file.satisfies) ?? true
      }.map(\.absolutePath).sorted()
      var found: [BytePath] = []
      try library.store.forEachRow(of: query, fields: [path]) { values in
        if case .path(let path) = values[0] { found.append(path) }
      }
      #expect(found == expected, "\(text)")
      #expect(try library.store.count(of: query) == expected.count, "\(text)")
      matchCount += expected.count
    }
    // Queries that find nothing or everything would prove nothing.
    #expect((20_000...260_000).contains(matchCount), "\(matchCount)")
  }
}
