import MediaModel
import Testing

struct ArtistCreditTests {
  @Test(arguments: [
    (["Ana B & Carl C"], 0, ["Ana B & Carl C"]), (["Simon & Garfunkel"], 1, ["Simon & Garfunkel"]),
    (["Ana B & Carl C"], 2, ["Ana B", "Carl C"]), (["Ana B feat. Carl C"], 2, ["Ana B", "Carl C"]),
    (["Ana B, Carl C & Dora D"], 3, ["Ana B", "Carl C", "Dora D"]),
    (["Tyler, The Creator & Ana B"], 2, ["Tyler, The Creator", "Ana B"]),
    (["Ana B; Carl C"], 0, ["Ana B; Carl C"]), (["Ana B", "Carl C"], 0, ["Ana B", "Carl C"]),
    (["Ana B", "ANA B", " "], 0, ["Ana B"]),
    (["AC/DC"], 1, ["AC/DC"]), ([], 2, []),
  ])
  func `a text is several artists only if MusicBrainz has as many ids`(artist: [String], idCount: Int, names: [String])
  {
    #expect(ArtistCredit.names(artists: [], artist: artist, idCount: idCount) == names)
  }

  @Test func `ARTISTS comes before ARTIST`() {
    #expect(
      ArtistCredit.names(artists: ["Ana B", "Carl C"], artist: ["Ana B feat. Carl C"], idCount: 2) == [
        "Ana B", "Carl C",
      ])
  }

  @Test(arguments: [
    (["Ana B; Carl C"], 0, ["Ana B", "Carl C"]), (["Ana B FEAT. Carl C"], 0, ["Ana B", "Carl C"]),
    (["Ana B; Carl C feat. Dora D"], 0, ["Ana B", "Carl C", "Dora D"]), (["Ana B;; ana b"], 0, ["Ana B"]),
    (["Ana B; Carl C", "Dora D"], 0, ["Ana B", "Carl C", "Dora D"]), ([";"], 0, []),
    // MusicBrainz knows better.
    (["Ana; B"], 1, ["Ana; B"]), (["Ana; B", "Carl C"], 2, ["Ana; B", "Carl C"]),
    (["Ana B & Carl C"], 2, ["Ana B", "Carl C"]),
  ])
  func `a text is several artists at the separators that somebody listed`(
    artist: [String], idCount: Int, names: [String]
  ) {
    let separators = [";", " feat. "]
    #expect(
      ArtistCredit.names(artists: [], artist: artist, idCount: idCount, separators: separators) == names)
    #expect(
      ArtistCredit.names(artists: ["Ana; B"], artist: artist, idCount: 0, separators: separators) == ["Ana; B"])
  }

  @Test(arguments: [
    (";", true), (" / ", true), (" feat. ", true), ("、", true), ("", false), ("  ", false), ("and", false),
    (" and", false), ("x ", false), ("a\nb", false), (String(repeating: "-", count: 21), false),
  ])
  func `a separator splits no words`(separator: String, isFine: Bool) {
    #expect((ArtistSeparators.fault(in: separator) == nil) == isFine)
  }

  @Test func `separators are kept as a list, and anything else is none`() {
    let separators = [";", " \"and\" ", " / "]
    #expect(ArtistSeparators.parsed(ArtistSeparators.text(separators)) == separators)
    #expect(ArtistSeparators.parsed("[\";\", 7, \"and\", \"\"]") == [";"])
    #expect(ArtistSeparators.parsed("; /").isEmpty && ArtistSeparators.parsed("{}").isEmpty)
  }
}
