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
}
