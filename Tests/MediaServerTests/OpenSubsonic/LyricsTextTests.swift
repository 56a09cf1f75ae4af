import Testing

@testable import OpenSubsonic

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

  @Test func `lyrics that people sing are never cut`() {
    // Five hundred lines, of which each is sung twenty times; and the largest text of a tag without starts.
    let synced = (0..<500).map { line in
      (0..<20).map { "[\(line / 10):\($0 + 10)]" }.joined() + "words of line \(line)"
    }
    #expect(LyricsText(synced.joined(separator: "\n")).lines.count == 10_000)
    let plain = String(repeating: "words and words\n", count: 4_096)
    #expect(LyricsText(plain).lines.count == 4_096)
  }

  @Test func `starts of a line, lines and text are bounded, and a last line counts what is left out`() {
    let starts = String(repeating: "[00:01]", count: 4_000)
    let lyrics = LyricsText(starts + "x")
    #expect(lyrics.lines.count == LyricsText.Allowance.largestStartCount + 1)
    #expect(lyrics.lines.last == LyricsText.Line(startInMilliseconds: 1_000, text: "[…] 3800 lines are left out"))

    let long = LyricsText(starts + String(repeating: "x", count: 32 << 10))
    #expect(long.lines.dropLast().reduce(0) { $0 + $1.text.utf8.count } == 1 << 20)
    #expect(long.lines.last?.text == "[…] 3968 lines are left out")

    let many = LyricsText(String(repeating: "x\n", count: 100_000))
    #expect(many.lines.count == 20_001 && many.lines.last?.startInMilliseconds == nil)
  }

  @Test func `the texts of one song share what is read`() {
    var allowance = LyricsText.Allowance()
    let texts = (0..<14).map { _ in
      LyricsText(String(repeating: String(repeating: "x", count: 1_023) + "\n", count: 128), within: &allowance)
    }
    let byteCount = texts.flatMap(\.lines).filter { !$0.text.hasPrefix("[…]") }.reduce(0) { $0 + $1.text.utf8.count }
    #expect(byteCount <= 1 << 20 && byteCount > 1_000_000)
    #expect(texts.last?.lines.map(\.text) == ["[…] 128 lines are left out"])
  }
}
