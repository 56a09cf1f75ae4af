import Testing

@testable import MediaServer

struct LyricsTextTests {
  @Test func `plain lines stay lines`() {
    let lyrics = LyricsText("one\n\ntwo\n")
    #expect(!lyrics.isSynced && lyrics.lines.map(\.text) == ["one", "", "two"])
  }

  @Test func `stamped lines are in the order of their times, and can come several times`() {
    let lyrics = LyricsText("[ti:Tide]\n[ar: Nora]\n[01:02.50][00:01]again\r\n[00:00.5]first\n[offset:+250]")
    #expect(lyrics.isSynced && lyrics.title == "Tide" && lyrics.artist == "Nora")
    #expect(lyrics.lines.map(\.text) == ["first", "again", "again"])
    #expect(lyrics.lines.map(\.startInMilliseconds) == [250, 750, 62_250])
  }

  @Test(arguments: ["[Chorus]", "[99]", "[a:b:c]x", "[", "[:]", "[00:61]x", "[-1:00]x"])
  func `brackets that are no times are text`(text: String) {
    #expect(!LyricsText(text).isSynced)
  }
}
