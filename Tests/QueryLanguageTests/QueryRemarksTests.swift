import QueryLanguage
import Testing

/// What people type that would silently find nothing.
struct QueryRemarksTests {
  private static let vocabulary = QueryVocabulary([
    QueryField("artist", .text), QueryField("ext", .text), QueryField("preset", .name(none: "none")),
    QueryField("lufs", .real),
  ])

  private func parse(_ text: String) throws(QueryError) -> Query {
    try Query(text, vocabulary: Self.vocabulary, now: 0)
  }

  @Test(arguments: ["ext:.flac", "ext:.FLAC", "ext:flac"])
  func `an extension may be written with its dot`(text: String) throws {
    #expect(try parse(text) == parse("ext:flac"))
  }

  @Test(arguments: ["band(abc)>-80", "band(abc):>-80", "band()<1"])
  func `a band without a frequency is a mistake, with its column`(text: String) throws {
    let error = try #require(throws: QueryError.self) { try parse("x " + text) }
    #expect(error.column == 3 && error.message.contains("band(1000)"))
  }

  @Test(arguments: ["bpm(88):>100", "bpm(175-88)>100", "bpm(88-120):90", "bpm()-", "BPM(fast)+"])
  func `a tempo without a range of an octave is a mistake, with its column`(text: String) throws {
    let error = try #require(throws: QueryError.self) { try parse("x " + text) }
    #expect(error.column == 3 && error.message.contains("bpm(88-175)"))
  }

  @Test func `a word after a compared text is told, because it may belong to it`() throws {
    let loose = try parse("artist:=Doug Kaufman").looseWord
    #expect(loose?.text == "Doug" && loose?.word == "kaufman" && loose?.isExact == true)
    #expect(try parse("artist:doug kaufman").looseWord?.isExact == false)
    #expect(try parse("kaufman artist:doug").looseWord == nil)
    #expect(try parse("artist:\"doug kaufman\"").looseWord == nil)
    #expect(try parse("lufs:>-3 kaufman").looseWord == nil)
  }

  @Test func `numbers alone are told, because they may be ids of tracks`() throws {
    #expect(try parse("17").loneNumbers == ["17"] && parse("17 23").loneNumbers == ["17", "23"])
    for text in ["", "17 take", "artist:17", "-17", "17 , 23", "17a", "1.7"] {
      #expect(try parse(text).loneNumbers == [], "\(text)")
    }
  }

  @Test func `names of presets are found wherever a query has them`() throws {
    #expect(try parse("-(preset:warm , preset:=Cold) preset:none").texts(comparedWith: "preset") == ["warm", "Cold"])
  }

  @Test func `an order at random has a seed`() throws {
    let order = try Query.order("artist,random:7", vocabulary: Self.vocabulary)
    #expect(order.map(\.field.name) == ["artist", "random"] && order.last?.field.randomSeed == 7)
    #expect(try Query.order("random", vocabulary: Self.vocabulary).first?.field.randomSeed != nil)
    #expect(throws: QueryError.self) { try Query.order("random:x", vocabulary: Self.vocabulary) }
  }
}
