import MediaModel
import Testing
import TestSupport

/// Corrections laid over tags, as a pure function.
struct CorrectedTagsTests {
  private static func tags(_ values: [String: [String]]) -> Tags {
    Tags(values.map { Tags.Property(name: $0.key, values: $0.value) })
  }

  private static func correction(_ name: String, _ values: [String], insteadOf bases: [String]...) throws -> Correction
  {
    Correction(field: try #require(CorrectionField(name)), values: values, bases: bases)
  }

  @Test func `a tag is as it was, as the correction, or in conflict`() throws {
    let correction = try Self.correction("genre", ["Jazz"], insteadOf: ["Pop"], [])
    #expect(correction.state(ofTag: ["Pop"]) == .active)
    #expect(correction.state(ofTag: []) == .active)
    #expect(correction.state(ofTag: ["Jazz"]) == .satisfied)
    #expect(correction.state(ofTag: ["Rock"]) == .conflict)
    #expect(correction.state(ofTag: ["Jazz", "Pop"]) == .conflict)
  }

  @Test func `a correction counts whatever the file says, and the file's values are kept`() throws {
    let own = Self.tags(["TITLE": ["Ebb"], "GENRE": ["Pop", "Rock"]])
    let corrected = try CorrectedTags(own, [Self.correction("genre", ["Jazz"], insteadOf: ["Soul"])])
    #expect(corrected.tags == Self.tags(["TITLE": ["Ebb"], "GENRE": ["Jazz"]]))
    #expect(corrected.own.map(\.state) == [.conflict])
    #expect(CorrectedTags.ownTags(in: corrected.tags, corrected.own) == own)
  }

  @Test func `an empty correction hides the tag under all of its names`() throws {
    let own = Self.tags(["ALBUM ARTIST": ["Nora"], "TITLE": ["Ebb"]])
    let corrected = try CorrectedTags(own, [Self.correction("albumartist", [], insteadOf: ["Nora"])])
    #expect(corrected.tags == Self.tags(["TITLE": ["Ebb"]]))
    #expect(corrected.own.map(\.state) == [.active])
    #expect(CorrectedTags.ownTags(in: corrected.tags, corrected.own) == own)
  }

  @Test func `a corrected artist hides the artists one by one, unless these are corrected, too`() throws {
    let own = Self.tags(["ARTIST": ["Nora feat. Bo"], "ARTISTS": ["Nora", "Bo"]])
    let artist = try Self.correction("artist", ["Nora Vale"], insteadOf: ["Nora feat. Bo"])
    #expect(CorrectedTags(own, [artist]).tags == Self.tags(["ARTIST": ["Nora Vale"]]))
    let artists = try Self.correction("artists", ["Nora Vale", "Bo"], insteadOf: ["Nora", "Bo"])
    let both = CorrectedTags(own, [artist, artists])
    #expect(both.tags == Self.tags(["ARTIST": ["Nora Vale"], "ARTISTS": ["Nora Vale", "Bo"]]))
    #expect(CorrectedTags.ownTags(in: both.tags, both.own) == own)
    // What the file says by now stays as it is.
    let satisfied = try Self.correction("artist", ["Nora feat. Bo"], insteadOf: ["Norah"])
    #expect(CorrectedTags(own, [satisfied]).tags == own)
  }

  @Test(arguments: [
    ("track", "4", ["TRACKNUMBER": ["4"], "TRACKTOTAL": ["12"]]),
    ("tracktotal", "13", ["TRACKNUMBER": ["3"], "TRACKTOTAL": ["13"]]),
  ])
  func `of a number with its total only one is corrected`(name: String, value: String, expected: [String: [String]])
    throws
  {
    for text in ["3/12", "3 of 12"] {
      let own = Self.tags(["TRACKNUMBER": [text]])
      let field = try #require(CorrectionField(name))
      let base = field.values(in: own)
      #expect(base == [name == "track" ? "3" : "12"])
      let corrected = CorrectedTags(own, [Correction(field: field, values: [value], bases: [base])])
      #expect(corrected.tags == Self.tags(expected))
      #expect(CorrectedTags.ownTags(in: corrected.tags, corrected.own) == own)
      let common = CommonTags(corrected.tags)
      #expect([common.track, common.trackTotal] == (name == "track" ? [4, 12] : [3, 13]))
    }
  }

  @Test func `a number without its total, and one that is emptied`() throws {
    let own = Self.tags(["TRACKNUMBER": ["3/12"], "DISCNUMBER": ["1/2"]])
    let cleared = try CorrectedTags(
      own,
      [
        Self.correction("track", [], insteadOf: ["3"]), Self.correction("disctotal", [], insteadOf: ["2"]),
      ])
    let common = CommonTags(cleared.tags)
    #expect(common.track == nil && common.trackTotal == 12 && common.disc == 1 && common.discTotal == nil)
    #expect(CorrectedTags.ownTags(in: cleared.tags, cleared.own) == own)
  }

  /// Random tags and corrections: what counts is the correction, everything else is the file's, and the file's tags come back.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `what a file says can always be told from what counts`(seed: UInt64) throws {
    var random = RepeatableRandom(seed: seed)
    let names = [
      "TITLE", "ARTIST", "ARTISTS", "ALBUM", "ALBUMARTIST", "ALBUM ARTIST", "TRACKNUMBER", "TRACK", "TRACKTOTAL",
      "TOTALTRACKS", "DISCNUMBER", "DISCTOTAL", "DATE", "YEAR", "MOOD",
    ]
    let values = ["1", "2", "3/9", "A", "B", "2019", " A "]
    func some() -> [String] {
      (0..<Int.random(in: 1...2, using: &random)).map { _ in values.randomElement(using: &random)! }
    }
    let own = Tags(names.filter { _ in Bool.random(using: &random) }.map { Tags.Property(name: $0, values: some()) })
    let fields = Set(names.compactMap { CorrectionField($0) }).filter { _ in Int.random(in: 0...2, using: &random) == 0
    }
    let corrections = fields.sorted { $0.name < $1.name }.map { field in
      let given = field.kind == .number ? ["7"] : ["C"]
      return Correction(field: field, values: Bool.random(using: &random) ? given : [], bases: [field.values(in: own)])
    }
    let corrected = CorrectedTags(own, corrections)
    #expect(CorrectedTags.ownTags(in: corrected.tags, corrected.own) == own)
    // An artist without a tag of its own is shown by the artists one by one.
    for correction in corrections
    where correction.field.name != "ARTIST" || !fields.contains(CorrectionField("ARTISTS")!) {
      #expect(correction.field.values(in: corrected.tags) == correction.values)
    }
    let replaced = Set(corrections.flatMap { $0.field.tagNames + $0.field.relatedTagNames })
    for name in names where !replaced.contains(name) { #expect(corrected.tags[name] == own[name]) }
    // Laid twice, it is the same.
    let again = CorrectedTags(CorrectedTags.ownTags(in: corrected.tags, corrected.own), corrections)
    #expect(again == corrected)
  }
}
