import Base
import Foundation
import LibraryQueries
import LibraryScanning
import LibraryTracks
import QueryLanguage
import Testing
import TestSupport

// Faults: 149
/// Compiled SQL against a naive evaluator over the same made-up files, for random queries with a fixed seed.
struct QueryDifferentialTests {
  static let count = TestSize.count(2_000, slow: 100_000)

  // Faults: 45, 148
  @Test func `SQL finds what a naive evaluator finds, in the order that it gives`() throws {
    let library = try TemporaryLibrary()
    var generator = RepeatableRandom(seed: 2026)
    let files = NaiveFile.collection(150, using: &generator)
    try library.store.scans.apply(files.map { .extracted($0.record) })
    let vocabulary = library.store.vocabulary
    let path = try #require(vocabulary["path"])
    var matchCount = 0
    for _ in 0..<Self.count {
      let text = RandomQuery.text(depth: 0, using: &generator)
      var query = try Query(text, vocabulary: vocabulary, now: 1_700_000_000)
      // A file without a sound and without a problem never claimed to be audio, and is not listed.
      var expected = files.filter { file in file.hasSound && query.condition.map(file.satisfies) ?? true }
      #expect(try library.store.count(of: query) == expected.count, "\(text)")
      matchCount += expected.count
      var limit: Int?
      if Bool.random(using: &generator) {
        let field = RandomQuery.sortFields.randomElement(using: &generator) ?? "year"
        let isDescending = Bool.random(using: &generator)
        query.order = [SortTerm(try #require(vocabulary[field]), isDescending: isDescending)]
        expected.sort { $0.precedes($1, by: field, descending: isDescending) }
      } else {
        expected.sort { $0.absolutePath < $1.absolutePath }
      }
      if Bool.random(using: &generator) {
        limit = Int.random(in: 0...20, using: &generator)
        expected = Array(expected.prefix(limit ?? 0))
      }
      var found: [BytePath] = []
      try library.store.forEachRow(of: query, fields: [path], limit: limit) { values in
        if case .path(let path) = values[0] { found.append(path) }
      }
      let isSame = found == expected.map(\.absolutePath)
      #expect(isSame, "\(text) by \(query.order.first?.field.name ?? "path"), at most \(limit ?? -1)")
    }
    // Queries that find nothing or everything would prove nothing.
    #expect((10 * Self.count...130 * Self.count).contains(matchCount), "\(matchCount)")
  }
}
