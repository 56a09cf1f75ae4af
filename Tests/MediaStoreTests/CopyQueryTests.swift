import MediaModel
import MediaStore
import QueryLanguage
import Testing

/// `same:ID` and `is:duplicate` in queries, with a finder that is made up.
struct CopyQueryTests {
  let library: TemporaryLibrary

  init() throws {
    library = try TemporaryLibrary()
    try library.store.apply(
      (1...6).map { number in
        .extracted(
          Sample.record("\(number).flac", TempoAndKeyTests.extraction(UInt64(number), bpm: Float(100 + number))))
      })
    library.store.findCopies { _, id in
      guard let id else { return [2, 3, 5, 6] }
      return [[2, 3], [5, 6]].first { $0.contains(id) } ?? [id]
    }
  }

  private func ids(_ text: String) throws -> [Int64] {
    var ids: [Int64] = []
    try library.store.forEachRow(of: try library.store.query(text), fields: [.id]) {
      if case .integer(let id) = $0[0] { ids.append(id) }
    }
    return ids.sorted()
  }

  @Test func `the recordings that are the same as one are found, with itself`() throws {
    #expect(try ids("same:3") == [2, 3])
    #expect(try ids("same:4") == [4])
    #expect(try ids("-same:3") == [1, 4, 5, 6])
  }

  @Test func `all that have a copy are found, among other terms`() throws {
    #expect(try ids("is:duplicate") == [2, 3, 5, 6])
    #expect(try ids("is:duplicate bpm:>103") == [5, 6])
    #expect(try ids("-is:duplicate") == [1, 4])
    #expect(try ids("is:=duplicate , id:1") == [1, 2, 3, 5, 6])
  }

  @Test func `files with the same samples are another word, which asks no finder`() throws {
    let other = try TemporaryLibrary()
    #expect(throws: Never.self) { try other.store.query("is:duplicate-file") }
    #expect(throws: QueryError.self) { try other.store.query("is:duplicate") }
    #expect(throws: QueryError.self) { try other.store.query("same:1") }
  }

  @Test func `a saved search means what it says`() throws {
    try library.store.saveList("Copies", query: "is:duplicate bpm:<104")
    #expect(try ids("list:Copies") == [2, 3])
  }

  @Test func `a term that names no track is refused`() {
    for text in ["same:1..3", "same:>2", "same:x"] {
      #expect(throws: QueryError.self) { try library.store.query(text) }
    }
  }

  @Test func `more copies than a statement has arguments are found`() throws {
    library.store.findCopies { _, _ in Array(1...300_000) }
    #expect(try ids("is:duplicate") == [1, 2, 3, 4, 5, 6])
  }
}
