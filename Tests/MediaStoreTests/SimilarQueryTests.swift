import MediaModel
import MediaStore
import QueryLanguage
import Testing

/// `similar:ID` in queries, with a finder that is made up.
struct SimilarQueryTests {
  let library: TemporaryLibrary

  init() throws {
    library = try TemporaryLibrary()
    try library.store.apply(
      (1...6).map { number in
        .extracted(
          Sample.record("\(number).flac", TempoAndKeyTests.extraction(UInt64(number), bpm: Float(100 + number))))
      })
    library.store.findSimilar { _, id in [id, 5, 2, 4] }
  }

  private func ids(_ text: String) throws -> [Int64] {
    var ids: [Int64] = []
    try library.store.forEachRow(of: try library.store.query(text), fields: [.id]) {
      if case .integer(let id) = $0[0] { ids.append(id) }
    }
    return ids
  }

  @Test func `the nearest come first, unless the query has an order`() throws {
    #expect(try ids("similar:1") == [1, 5, 2, 4])
    #expect(try ids("similar:1 bpm-") == [5, 4, 2, 1])
  }

  @Test func `other terms choose among them`() throws {
    #expect(try ids("similar:1 bpm:>103") == [5, 4])
    #expect(try ids("-similar:1") == [3, 6])
    #expect(try ids("similar:3 , id:6").sorted() == [2, 3, 4, 5, 6])
  }

  @Test func `a term that names no track is refused`() {
    for text in ["similar:1..3", "similar:>2", "similar:x"] {
      #expect(throws: QueryError.self) { try library.store.query(text) }
    }
  }

  @Test func `without a finder the query says so`() throws {
    let other = try TemporaryLibrary()
    #expect(throws: QueryError.self) { try other.store.query("similar:1") }
  }

  @Test func `statistics are read with their hashes, and change the state`() throws {
    let before = try library.store.similarityState()
    var extraction = Sample.extraction(1)
    let statistics = SimilarityStatistics(.init(repeating: 2, count: SimilarityStatistics.count))
    extraction.products = [Product(kind: .similarity, version: 1, parameters: "", bytes: statistics.blob)]
    try library.store.apply([.extracted(Sample.record("1.flac", extraction))])
    var found: [ContentHash: SimilarityStatistics] = [:]
    try library.store.forEachSimilarity { found[$0] = $1 }
    #expect(found == [Sample.hash(1): statistics])
    let state = try library.store.similarityState()
    #expect(state != before && state.count == 32)
    let track = try #require(try library.store.comparedTracks([Sample.hash(1), Sample.hash(99)])[0])
    #expect(track.recordingID == 1 && track.isPresent && track.beatsPerMinute == 101)
    #expect(try library.store.comparedTracks([Sample.hash(99)]) == [nil])
  }
}
