import MediaModel
import QueryLanguage
import Testing
import TestSupport

struct QueryParserTests {
  static let title = QueryField("title", .text)
  static let artist = QueryField("artist", .text)
  static let year = QueryField("year", .integer)
  static let duration = QueryField("duration", .duration)
  static let rate = QueryField("rate", .integer)
  static let size = QueryField("size", .size)
  static let lufs = QueryField("lufs", .real)
  static let path = QueryField("path", .path)
  static let date = QueryField("date", .date)
  static let added = QueryField("added", .instant)
  static let state = QueryField("state", .keyword(["ok", "damaged", "missing"]))
  static let hash = QueryField("hash", .hexadecimal)
  // Of other names than those of the library: the kind decides.
  static let speed = QueryField("speed", .tempo)
  static let wheel = QueryField("wheel", .keyText(.camelot))
  static let fifths = QueryField("fifths", .keyText(.openKey))
  static let codec = QueryField("codec", .text)
  static let ext = QueryField("ext", .text)
  static let vocabulary = QueryVocabulary(
    [
      title, artist, year, duration, rate, size, lufs, path, date, added, state, hash, speed, wheel, fifths, codec, ext,
    ],
    hasTag: { $0 == "WEIRD" })
  static let now: Int64 = 1_700_000_000

  func parse(_ text: String) throws(QueryError) -> Query {
    try Query(text, vocabulary: Self.vocabulary, now: Self.now)
  }

  func mistake(_ text: String) -> QueryError? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return error
    }
  }

  static func contains(_ field: QueryField, _ text: String) -> QueryCondition { .test(field, .contains(text)) }

  @Test(arguments: ["", " ", "\t\n"])
  func `an empty query is everything`(text: String) throws {
    #expect(try parse(text) == .everything)
  }

  // Faults: 45
  @Test(
    arguments: [
      ("Été", .word("ete")), ("\"slow tide\"", .word("slow tide")), ("don't", .word("don't")), ("a,b", .word("a,b")),
      ("foo(bar)", .word("foo(bar)")), ("-", .word("-")), ("C++", .word("c++")), ("\"year-\"", .word("year-")),
      ("\\-x", .word("-x")), ("a\\:b", .word("a:b")), ("\"a:b\"", .word("a:b")), (":x", .word(":x")),
      ("%_*", .word("%_*")),
      ("'; DROP TABLE file;--", .all([.word("';"), .word("drop"), .word("table"), .word("file;--")])),
      ("or", .word("or")), ("ORB", .word("orb")), ("\"a\\\"b\"", .word("a\"b")), ("\"\"", .word("")),
    ] as [(String, QueryCondition)])
  func `words are literal`(text: String, condition: QueryCondition) throws {
    #expect(try parse(text).condition == condition)
  }

  @Test(
    arguments: [
      ("a b", .all([.word("a"), .word("b")])), ("a AND b", .all([.word("a"), .word("b")])),
      ("a , b", .any([.word("a"), .word("b")])), ("a, b", .any([.word("a"), .word("b")])),
      ("a OR b", .any([.word("a"), .word("b")])), ("a | b", .any([.word("a"), .word("b")])),
      ("a b , c", .any([.all([.word("a"), .word("b")]), .word("c")])),
      ("a (b , c)", .all([.word("a"), .any([.word("b"), .word("c")])])), ("((a))", .word("a")),
      ("-a", .not(.word("a"))), ("^a", .not(.word("a"))), ("NOT a", .not(.word("a"))), ("--a", .word("a")),
      ("-(a b)", .not(.all([.word("a"), .word("b")]))), ("(a)OR(b)", .any([.word("a"), .word("b")])),
      ("-title:x", .not(contains(title, "x"))), ("-\"a b\"", .not(.word("a b"))),
    ] as [(String, QueryCondition)])
  func `operators bind as in other programs`(text: String, condition: QueryCondition) throws {
    #expect(try parse(text).condition == condition)
  }

  @Test(
    arguments: [
      ("title:Été", contains(title, "ete")), ("TITLE:x", contains(title, "x")),
      ("artist:\"nora vale\"", contains(artist, "nora vale")),
      ("title:=Été", .test(title, .equals("Été"))), ("title:=~Été", .test(title, .equalsFolded("ete"))),
      ("title:\"\"", .test(title, .absent)), ("title:=", .test(title, .absent)), ("year:\"\"", .test(year, .absent)),
      ("title:<3", contains(title, "<3")), ("title:a..b", contains(title, "a..b")),
      ("title:12:30", contains(title, "12:30")),
      ("path:sub/dir", .test(path, .folder("sub/dir"))), ("path:/Music/", .test(path, .folder("/music"))),
      ("path:=/Music/", .test(path, .below("/Music/"))), ("path:=/Music", .test(path, .equals("/Music"))),
      ("path:beet", contains(path, "beet")), ("state:dam", .test(state, .oneOf(["damaged"]))),
      ("state:m", .test(state, .oneOf(["damaged", "missing"]))), ("state:=ok", .test(state, .oneOf(["ok"]))),
      ("hash:ABcd", contains(hash, "abcd")), ("mood:Happy", .test(QueryField("mood", .tag), .contains("happy"))),
      ("weird:x", .test(QueryField("weird", .tag), .contains("x"))),
      ("bpm:fast..slow", .test(QueryField("bpm", .tag), .contains("fast..slow"))),
      ("wheel:Am", .test(wheel, .equalsFolded("8a"))), ("wheel:1m", .test(wheel, .equalsFolded("8a"))),
      ("fifths:8a", .test(fifths, .equalsFolded("1m"))), ("wheel:=8A", .test(wheel, .equals("8A"))),
    ] as [(String, QueryCondition)])
  func `fields of text`(text: String, condition: QueryCondition) throws {
    #expect(try parse(text).condition == condition)
  }

  static func range(_ lower: Double?, _ upper: Double?, _ includesLower: Bool = true, _ includesUpper: Bool = true)
    -> QueryMatch
  {
    .number(
      NumberRange(
        lower: lower.map { .init($0, isIncluded: includesLower) },
        upper: upper.map { .init($0, isIncluded: includesUpper) }))
  }

  @Test(
    arguments: [
      ("year:1999", year, range(1999, 1999)), ("year:1990..1999", year, range(1990, 1999)),
      ("year:..1999", year, range(nil, 1999)),
      ("year:1990..", year, range(1990, nil)), ("year:>1990", year, range(1990, nil, false)),
      ("year:<=1990", year, range(nil, 1990)),
      ("lufs:<-18", lufs, range(nil, -18, true, false)), ("lufs:-20..-10", lufs, range(-20, -10)),
      ("lufs:>=-9.5dB", lufs, range(-9.5, nil)),
      ("duration:3:30", duration, range(209.5, 210.5, true, false)),
      ("duration:>2m10s", duration, range(130, nil, false)),
      ("duration:<1h", duration, range(nil, 3600, true, false)), ("duration:1:02:03..", duration, range(3723, nil)),
      ("duration:>2m10", duration, range(130, nil, false)), ("duration:>90", duration, range(90, nil, false)),
      ("rate:>44.1k", rate, range(44_100, nil, false)), ("rate:44.1k", rate, range(44_050, 44_150, true, false)),
      ("rate:44100", rate, range(44_100, 44_100)), ("rate:>=44.1kHz", rate, range(44_100, nil)),
      ("size:>10M", size, range(10_000_000, nil, false)), ("size:<4Gi", size, range(nil, 4_294_967_296, true, false)),
      ("size:1k..2KiB", size, range(1000, 2048)), ("size:10", size, range(10, 10)),
      ("speed:120", speed, range(119.5, 120.5, true, false)), ("speed:>120", speed, range(120, nil, false)),
      ("speed:120..", speed, range(119.5, nil)), ("speed:>=120", speed, range(119.5, nil)),
      ("speed:<=126", speed, range(nil, 126.5, true, false)), ("speed:<126", speed, range(nil, 126, true, false)),
      ("speed:120..126.0", speed, range(119.5, 126.05, true, false)),
      ("bpm:120..126", QueryField("bpm", .tag), range(120, 126)),
      ("added:-2w..", added, range(1_700_000_000 - 1_209_600, nil)),
      ("added:-1d", added, range(1_700_000_000 - 86_400, nil)),
      ("added:..-1y", added, range(nil, 1_700_000_000 - 31_536_000)),
    ] as [(String, QueryField, QueryMatch)])
  func `numbers, durations, sizes, rates and distances in time`(text: String, field: QueryField, match: QueryMatch)
    throws
  {
    #expect(try parse(text).condition == .test(field, match))
  }

  @Test(
    arguments: [
      ("date:2023", "2023", "2024"), ("date:2023-12", "2023-12", "2024-01"),
      ("date:2023-12-31", "2023-12-31", "2024-01-01"),
      ("date:2024-02-29", "2024-02-29", "2024-03-01"), ("date:2019..2020-06", "2019", "2020-07"),
      ("date:>2019", "2020", nil),
      ("date:>=2019", "2019", nil), ("date:<2019-05", nil, "2019-05"), ("date:<=2019-05", nil, "2019-06"),
      ("date:..9999", nil, "10000"),
    ] as [(String, String?, String?)])
  func `dates stand for all of their unit`(text: String, lower: String?, upper: String?) throws {
    #expect(try parse(text).condition == .test(Self.date, .date(lower: lower, upper: upper)))
  }

  @Test(arguments: [
    ("year:1999,2003", "year:1999 , year:2003"), ("year:1990..1995,2001", "year:1990..1995 , year:2001"),
    ("-year:1999,2003", "-(year:1999 , year:2003)"), ("x year:>2000,1990", "x (year:>2000 , year:1990)"),
    ("state:ok,damaged", "state:ok , state:damaged"), ("date:2001,2003-04", "date:2001 , date:2003-04"),
    ("codec:flac,mp3", "codec:flac , codec:mp3"), ("ext:.mp3,ogg", "ext:mp3 , ext:ogg"),
    ("year:1999,2003 x", "(year:1999 , year:2003) x"), ("year:1999, 2003", "year:1999 , 2003"),
  ])
  func `values with commas are any of them`(text: String, meaning: String) throws {
    #expect(try parse(text).condition == parse(meaning).condition)
  }

  @Test func `a comma belongs to a text, and is no decimal point`() throws {
    #expect(try parse("title:a,b").condition == Self.contains(Self.title, "a,b"))
    #expect(mistake("speed:1,5")?.column == 7 && mistake("duration:1,5")?.column == 10)
    #expect(mistake("year:1999,x")?.column == 11 && mistake("year:1999,,2000")?.column == 11)
  }

  @Test func `a day of local time lasts until the next`() throws {
    guard case .test(_, .number(let range))? = try parse("added:2023-06-15").condition,
      let lower = range.lower, let upper = range.upper
    else {
      Issue.record("not a range")
      return
    }
    #expect(upper.value - lower.value == 86_400 && lower.isIncluded && !upper.isIncluded)
  }

  @Test func `sort terms stand anywhere outside quotes`() throws {
    let query = try parse("year- jazz artist+")
    #expect(query.condition == .word("jazz"))
    #expect(query.order == [SortTerm(Self.year, isDescending: true), SortTerm(Self.artist)])
    #expect(try parse("year-").condition == nil)
    #expect(try Query.order("year-,artist", vocabulary: Self.vocabulary) == query.order)
  }

  @Test(arguments: [
    ("titel:x", 1, "did you mean title?"), ("x yaer-", 3, "did you mean year?"), ("12:30", 1, "quote it"),
    ("\"abc", 1, "quotation mark"),
    ("a (b", 3, "without a )"), ("a)", 2, "without a ("), ("()", 1, "nothing inside"), ("a ,", 4, "nothing after"),
    (", a", 1, "nothing before"), ("title:", 7, "nothing after"), ("year:abc", 6, "year: 'abc' is not a number"),
    ("year:2000..1990", 6, "reversed"), ("duration:>NaN", 10, "duration"), ("year:1e400", 6, "not a number"),
    ("year:0x10", 6, "not a number"),
    ("year:\u{0663}", 6, "not a number"), ("year:..", 6, "at least one end"),
    ("state:wrong", 7, "ok, damaged, missing"),
    ("title::(", 9, "title"), ("title::", 8, "empty"), ("year::x", 7, "needs text"), ("hash:xyz", 6, "0-9"),
    ("duration:1:99", 10, "duration"),
    ("date:2023-13", 6, "not a date"), ("added:yesterday", 7, "not a date"), ("-year-", 2, "negated"),
    ("size:10X", 6, "size"), ("speed:fast", 7, "not a number"), ("wheel:loud", 7, "not a key"),
    ("a OR", 5, "nothing after"), ("lufs:<", 6, "lufs: nothing after the <"), ("lufs<=", 5, "nothing after the <="),
    ("date:>", 6, "nothing after the >"), ("added:>=", 7, "nothing after the >="),
    ("length:..5", 1, "did you mean duration?"), ("SampleRate:44100", 1, "did you mean rate?"),
    ("codec:flac,", 12, "nothing after"),
  ])
  // Faults: 146
  func `mistakes are told with their column`(text: String, column: Int, part: String) throws {
    let error = try #require(mistake(text))
    #expect(error.column == column, "\(error)")
    #expect(error.message.contains(part), "\(error)")
  }

  @Test(arguments: ["a@b", "title@:x", "title:a@", "\"@\""])
  func `a NUL, here in the place of an @, is an error with its place`(text: String) throws {
    let place = try #require(text.firstIndex(of: "@"))
    let error = #expect(throws: QueryError.self) {
      try Query(text.replacing("@", with: "\0"), vocabulary: QueryVocabulary([QueryField("title", .text)]), now: 0)
    }
    #expect(error?.column == text[..<place].count + 1)
  }

  // Faults: 144
  @Test func `limits on length, number and depth are errors too`() {
    #expect(mistake(String(repeating: "x", count: 1 << 20)) != nil)
    #expect(mistake(String(repeating: "(", count: 10_000)) != nil)
    #expect(mistake(String(repeating: "-", count: 10_000) + "x") != nil)
    #expect(mistake(Array(repeating: "a", count: 10_000).joined(separator: " , ")) != nil)
    #expect(mistake(Array(repeating: "a", count: 900).joined(separator: " , ")) == nil)
  }

  @Test func `random text never traps and either parses or says where not`() {
    var generator = RepeatableRandom(seed: 1)
    let pieces = [
      "title", "year", ":", "::", ":=", "\"", "(", ")", "-", "^", ",", " ", "\\", "[", "a", "1", "..", ">", "<=", "é",
      "OR ", "+", "k", "added:", "date:", "duration:", "|",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
      }.joined()
      if let error = mistake(text) {
        #expect((1...text.unicodeScalars.count + 1).contains(error.column), "\(text): \(error)")
      }
    }
  }
}
