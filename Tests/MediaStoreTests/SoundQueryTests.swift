import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import UserData

/// `similar:ID`, `same:ID` and `is:duplicate` in queries, with finders that are made up.
struct SoundQueryTests {
  let library: TemporaryLibrary

  init() throws {
    library = try TemporaryLibrary(
      sounds: SoundFinders { _, id in
        [id, 5, 2, 4]
      } copies: { _, id in
        guard let id else { return [2, 3, 5, 6] }
        return [[2, 3], [5, 6]].first { $0.contains(id) } ?? [id]
      } redundantFiles: { _ in
        [3, 6]
      })
    try library.store.scans.apply(
      (1...6).map { number in
        .extracted(
          Sample.record("\(number).flac", TempoAndKeyTests.extraction(UInt64(number), bpm: Float(100 + number))))
      })
  }

  private func ids(_ text: String, in store: MediaStore? = nil) throws -> [Int64] {
    let store = store ?? library.store
    var ids: [Int64] = []
    try store.forEachRow(of: try store.query(text), fields: [.id]) {
      if case .integer(let id) = $0[0] { ids.append(id) }
    }
    return ids
  }

  /// The same library with other finders.
  private func reopened(_ sounds: SoundFinders) throws -> MediaStore {
    try MediaStore(at: library.path, access: .readOnly, sounds: sounds)
  }

  // MARK: - What sounds like a recording

  @Test func `the nearest come first, unless the query has an order`() throws {
    #expect(try ids("similar:1") == [1, 5, 2, 4])
    #expect(try ids("similar:1 bpm-") == [5, 4, 2, 1])
  }

  @Test func `other terms choose among them`() throws {
    #expect(try ids("similar:1 bpm:>103") == [5, 4])
    #expect(try ids("-similar:1") == [3, 6])
    #expect(try ids("similar:3 , id:6").sorted() == [2, 3, 4, 5, 6])
  }

  @Test func `statistics are read with their hashes, and change the state`() throws {
    let before = try library.store.products.similarityState()
    var extraction = Sample.extraction(1)
    let statistics = SimilarityStatistics(.init(repeating: 2, count: SimilarityStatistics.count))
    extraction.products = [Product(kind: .similarity, version: 1, parameters: "", bytes: statistics.blob)]
    try library.store.scans.apply([.extracted(Sample.record("1.flac", extraction))])
    var found: [ContentHash: SimilarityStatistics] = [:]
    try library.store.products.forEachSimilarity { found[$0] = $1 }
    #expect(found == [Sample.hash(1): statistics])
    let state = try library.store.products.similarityState()
    #expect(state != before && state.count == 32)
    let track = try #require(try library.store.tracks.compared([Sample.hash(1), Sample.hash(99)])[0])
    #expect(track.recordingID == 1 && track.isPresent && track.beatsPerMinute == 101)
    #expect(try library.store.tracks.compared([Sample.hash(99)]) == [nil])
  }

  // MARK: - Copies

  @Test func `the recordings that are the same as one are found, with itself`() throws {
    #expect(try ids("same:3").sorted() == [2, 3])
    #expect(try ids("same:4") == [4])
    #expect(try ids("-same:3").sorted() == [1, 4, 5, 6])
  }

  @Test func `all that have a copy are found, among other terms`() throws {
    #expect(try ids("is:duplicate").sorted() == [2, 3, 5, 6])
    #expect(try ids("is:duplicate bpm:>103").sorted() == [5, 6])
    #expect(try ids("-is:duplicate").sorted() == [1, 4])
    #expect(try ids("is:redundant").sorted() == [3, 6])
    #expect(try ids("-is:redundant").sorted() == [1, 2, 4, 5])
    #expect(try ids("is:redundant,missing bpm:>103") == [6])
    #expect(try ids("is:=duplicate , id:1").sorted() == [1, 2, 3, 5, 6])
    #expect(try ids("similar:1 is:duplicate") == [5, 2])
  }

  @Test func `a saved search means what it says`() throws {
    try library.store.lists.save("Copies", query: "is:duplicate bpm:<104")
    #expect(try ids("list:Copies").sorted() == [2, 3])
  }

  @Test func `more copies than a statement has arguments are found`() throws {
    let store = try reopened(SoundFinders(copies: { _, _ in Array(1...300_000) }))
    defer { try? store.close() }
    #expect(try ids("is:duplicate", in: store).sorted() == [1, 2, 3, 4, 5, 6])
  }

  // MARK: - Mistakes

  @Test(arguments: ["similar", "same"])
  func `a term that names no track is refused`(field: String) {
    for value in ["1..3", ">2", "x"] {
      #expect(throws: QueryError.self) { try library.store.query("\(field):\(value)") }
    }
  }

  @Test func `without a finder the query says so, and files with the same samples need none`() throws {
    let other = try TemporaryLibrary()
    for term in ["similar:1", "same:1", "is:duplicate"] {
      let error = #expect(throws: QueryError.self) { try other.store.query(term) }
      #expect(error?.message == "\(term): sounds cannot be compared here")
    }
    #expect(throws: Never.self) { try other.store.query("is:duplicate-file") }
  }

  @Test func `an error of a finder names the term`() throws {
    let store = try reopened(SoundFinders(similar: { _, _ in throw QueryError("no vectors", column: 1) }))
    defer { try? store.close() }
    let error = #expect(throws: QueryError.self) { try store.query("similar:3") }
    #expect(error?.message.hasPrefix("similar:3: ") == true)
  }
}
