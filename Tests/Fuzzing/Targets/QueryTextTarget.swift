internal import MediaModel
internal import MediaStore

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
    // Looking for a name that was meant takes longer than all the rest.
    guard bytes.count < 32 else { return }
    do throws(QueryError) { _ = try Query.order(text, vocabulary: vocabulary) } catch {
      try require(error.column >= 1, "column \(error.column)")
    }
  }

  private static func compare(_ one: Query, _ other: Query) throws(QueryError) {
    if one != other { throw QueryError("two readings of one text differ", column: 0) }
  }
}
