import LibraryQueries
import MediaStore
import QueryLanguage

/// The text of a query, without a library.
struct QueryTextTarget: FuzzTarget {
  let name = "query"

  var seeds: [[UInt8]] { Self.texts.map { Array($0.utf8) } }
  var dictionary: [String] { Self.words }

  static let texts = [
    "", "bass", "artist:ferry year:1974..1979", "-genre:rock | NOT (title:=Red , album:=~ÉMILIE)", "year>=1999 year-",
    "title::\"^(a|b)+[0-9]{2,3}$\"", "added:-3w..", "duration:1:30..2m size:>10MB", "band(1000)>-30 lufs:..-14 lra+",
    "path:\"/music/a b\" \\-x \"quo\\\"ted\"", "is:lossless has:artwork state:ok,damaged",
    "bpm:none preset:none id:1..",
    "((((a OR b))) AND c)", "date:1974-03 mtime:2024-01-01..2024-02", "hash:00ff rate:48k bitrate:<192k",
  ]

  static let words =
    MediaStore.fields.map { $0.name + ":" } + [
      "OR ", "AND ", "NOT ", " , ", "|", "..", ":=", ":=~", "::", ">=", "<=", "(", ")", "\"", "\\", "none", "-3w",
      "1974-03-01", "1:30", "k", "MiB", "band(", "^", "year-", "artist+", "ﬀ", "İ", "\u{301}", "inf", "nan", "1e400",
    ]

  private static let vocabulary = QueryVocabulary(MediaStore.fields)

  func check(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let vocabulary = Self.vocabulary
    do throws(QueryError) {
      let query = try Query(text, vocabulary: vocabulary, now: 1_700_000_000)
      let again = try Query(text, vocabulary: vocabulary, now: 1_700_000_000)
      try Self.compare(query, again)
    } catch {
      try require((1...text.unicodeScalars.count + 1).contains(error.column), "column \(error.column): \(error)")
    }
    // The search for a similar name takes longer than all the rest.
    guard bytes.count < 32 else { return }
    do throws(QueryError) { _ = try Query.order(text, vocabulary: vocabulary) } catch {
      try require(error.column >= 1, "column \(error.column)")
    }
  }

  private static func compare(_ one: Query, _ other: Query) throws(QueryError) {
    if one != other { throw QueryError("two readings of one text differ", column: 0) }
  }
}

/// The text of a query that a library runs: SQL must accept it, and the list, the count and the negation must agree.
struct QuerySQLTarget: FuzzTarget {
  let name = "query-sql"
  let repetitionCount = 200

  var seeds: [[UInt8]] { QueryTextTarget.texts.map { Array($0.utf8) } }
  var dictionary: [String] { QueryTextTarget.words }
  var maximumByteCount: Int { 512 }

  func check(_ bytes: [UInt8]) throws {
    let library = try FuzzLibrary.shared.get()
    let store = library.store
    let text = String(decoding: bytes, as: UTF8.self)
    let query: Query
    do throws(QueryError) { query = try store.query(text) } catch { return }
    guard let count = try Self.count(of: query, in: store) else { return }
    var fields = Array(Set(query.order.map(\.field)).prefix(8))
    if let path = store.vocabulary["path"] { fields.append(path) }
    var listed = 0
    try store.forEachRow(of: query, fields: fields) { _ in listed += 1 }
    try require(listed == count, "\(listed) files are listed and \(count) are counted")
    var few = 0
    try store.forEachRow(of: query, fields: fields, limit: 3) { _ in few += 1 }
    try require(few == min(3, count), "\(few) of \(count) files are listed under a limit of 3")
    guard let condition = query.condition else { return }
    guard let others = try Self.count(of: Query(condition: .not(condition)), in: store) else { return }
    try require(count + others == library.fileCount, "\(count) files and \(others) others are not \(library.fileCount)")
  }

  /// nil if it is nested more deeply than SQLite accepts, which is an error of its own.
  private static func count(of query: Query, in store: MediaStore) throws(StoreError) -> Int? {
    do throws(StoreError) {
      return try store.count(of: query)
    } catch {
      guard error == .tooDeepQuery else { throw error }
      return nil
    }
  }
}

/// A regular expression in the first line, and a text after it.
struct RegexTarget: FuzzTarget {
  let name = "regex"

  var seeds: [[UInt8]] {
    [
      "(a|b)*c\nababc", "^\\d{2,3}$\n123", "(?i)é+\\b\nÉÉ é", "[^a-z\\w]+\n--", "((a{0,30}){0,30}){0,2}\naaaa",
      "(a*)*b\naaaa",
    ]
    .map { Array($0.utf8) }
  }
  var dictionary: [String] {
    ["(?i)", "(?:", "\\d", "\\W", "\\b", "{2,3}", "{0,1000}", "[^", "]*", ")+", "|", "^", "$", "\n"]
  }

  func check(_ bytes: [UInt8]) throws {
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let pattern = String(parts[0])
    let regex: NFARegex
    do throws(QueryError) { regex = try NFARegex(pattern) } catch {
      return try require(error.column >= 1, "column \(error.column)")
    }
    let text = parts.count > 1 ? String(parts[1]) : ""
    let isFound = regex.isFound(in: text)
    // A search is not anchored: anything may come before the text, unless the pattern asks for its start.
    guard isFound, !pattern.contains(where: { "^$\\(".contains($0) }) else { return }
    try require(regex.isFound(in: "x " + text), "not found behind other text")
  }
}
