import Testing

@testable import LibraryServing

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

  @Test(arguments: ["[Chorus]", "[99]", "[a:b:c]x", "[", "[:]", "[-1:00]x", "[3.14]x", "[1.0.2]x", "[1:2]x"])
  func `brackets that are no times are text`(text: String) {
    #expect(!LyricsText(text).isSynced)
  }

  @Test(arguments: [
    ("[00:02:50]", 2_500), ("[00:02,50]", 2_500), ("[01:02:03.50]", 3_723_500), ("[1:02]", 62_000),
    ("[00:02.505]", 2_505),
    ("[00:02:505]", 2_505), ("[00:75.00]", 75_000), ("[00:02.5000]", 2_500), ("[ 00:02.50 ]", 2_500),
    ("[00.02.50]", 2_500), ("[+00:02.50]", 2_500), ("[00:02.50-00:02.90]", 2_500), ("[00:02;50]", 2_500),
    ("［00:02.50］", 2_500), ("[00：02．50]", 2_500), ("【00:02.50】", 2_500), ("[0:2.5]", 2_500),
  ])
  func `times are read in the forms in which programs write them`(time: String, start: Int64) {
    #expect(LyricsText("\(time)words").lines == [.init(startInMilliseconds: start, text: "words")])
  }

  @Test func `a time before the start is the start, unless an offset moves it`() {
    #expect(LyricsText("[-00:01.00]one\n[00:02.00]two").lines.map(\.startInMilliseconds) == [0, 2_000])
    #expect(LyricsText("[offset:-1500]\n[-00:01.00]one").lines.map(\.startInMilliseconds) == [500])
  }

  @Test func `stamps of words are left out, and other brackets stay`() {
    #expect(LyricsText("[00:01] [00:05]again").lines.map(\.startInMilliseconds) == [1_000, 5_000])
    let text = "[00:01.00]<00:01.00> One <00:01.50> two [00:02.00]three <3 [x] <a:b>\n[00:03]four"
    #expect(LyricsText(text).lines.map(\.text) == ["One two three <3 [x] <a:b>", "four"])
  }

  @Test(arguments: ["250", "+250", " 250 ", "250ms", "250 ms"]) func `an offset is read in any form`(text: String) {
    #expect(LyricsText("[offset:\(text)]\n[00:01]x").lines.first?.startInMilliseconds == 750)
  }

  @Test func `a line without a start between synced ones begins with the one before it`() {
    let lyrics = LyricsText("[ti:x]\n[00:01]one\nuno\n\n[00:02]two\ndos\n")
    #expect(lyrics.lines.map(\.text) == ["one", "uno", "two", "dos"])
    #expect(lyrics.lines.map(\.startInMilliseconds) == [1_000, 1_000, 2_000, 2_000])
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
