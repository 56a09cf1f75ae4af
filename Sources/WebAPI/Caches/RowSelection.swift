internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryTracks
internal import MediaStore
internal import QueryLanguage

/// Rows of a result that a call is about: all that a query finds, or those that somebody has selected among them.
struct RowSelection: Sendable {
  static let largestCount = 100_000

  private let key: ResultLists.Key
  /// nil for all rows.
  private let ranges: [Range<Int>]?
  /// Of the library, when the rows were selected.
  private let revision: String?

  /// `q`, and perhaps `sort`, and `rows` with `revision`, of a body.
  ///
  /// - Throws: ``HTTPProblem``.
  init(_ body: JSONValue) throws(HTTPProblem) {
    func text(_ name: String) throws(HTTPProblem) -> String? {
      guard let value = body[name] else { return nil }
      guard let text = value.string else { throw HTTPProblem(422, "\(name) is a text") }
      return text
    }
    guard let query = try text("q") else { throw HTTPProblem(422, "q is the query that finds the tracks") }
    key = ResultLists.Key(query: query, sort: try text("sort") ?? "")
    revision = try text("revision")
    ranges = try body["rows"].map { value throws(HTTPProblem) in try Self.ranges(value) }
    guard ranges == nil || revision != nil else {
      throw HTTPProblem(422, "rows are those of a result: revision says which")
    }
  }

  private static func ranges(_ value: JSONValue) throws(HTTPProblem) -> [Range<Int>] {
    let ranges = value.array?.compactMap { range -> Range<Int>? in
      let ends = range.array?.compactMap { $0.double.flatMap { Int(exactly: $0) } } ?? []
      return ends.count == 2 && ends[0] >= 0 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
    guard let ranges, ranges.count == value.array?.count,
      zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound })
    else { throw HTTPProblem(422, "rows are ranges such as [[0, 10], [12, 13]], in order, each without its end") }
    return ranges
  }

  /// In the order of the result.
  ///
  /// - Throws: ``HTTPProblem`` if there are too many, or none, or if the library has changed since rows were selected.
  func fileIDs(limit: Int = largestCount, _ results: ResultLists, in store: MediaStore) throws -> [Int64] {
    let result = try results.result(for: key, revision: revision, in: store)
    var ids = result.fileIDs
    if let ranges {
      guard result.revision == revision else {
        throw HTTPProblem(409, "the library has changed since these rows were selected; select them again")
      }
      ids = ranges.flatMap { ids[min($0.lowerBound, ids.count)..<min($0.upperBound, ids.count)] }
    }
    guard ids.count <= limit else { throw HTTPProblem(422, "at most \(limit) tracks at once") }
    guard !ids.isEmpty else { throw HTTPProblem(404, "there is no such track") }
    return ids
  }

  /// The recordings of the files, each once.
  func recordingIDs(_ results: ResultLists, in store: MediaStore) throws -> [Int64] {
    var ids: [Int64] = []
    var known: Set<Int64> = []
    try store.forEachListRow(ofFiles: try fileIDs(results, in: store), fields: [.id]) { row in
      if case .integer(let id) = row.cell(1), known.insert(id).inserted { ids.append(id) }
    }
    return ids
  }
}
