import Base
import Testing

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("ｱ", 1), ("Ａ", 2), ("🎵", 2), ("👩‍🎤", 2),
    ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("\u{AD}", 0), ("\u{200B}", 0), ("ไทย", 3), ("שָׁלוֹם", 4), ("⣿", 1), ("a日b", 4),
  ])
  func `a text takes the cells that a terminal gives it`(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("abc", 1, "…"),
    ("abc", 0, ""),
  ])
  func `what does not fit is cut before an ellipsis`(text: String, width: Int, expected: String) {
    #expect(DisplayWidth.truncated(text, toWidth: width) == expected)
    #expect(DisplayWidth.of(expected) <= width)
  }

  @Test(arguments: [
    ("/home/me/a.flac", 15, "/home/me/a.flac"), ("/home/me/a.flac", 10, "…me/a.flac"), ("/home/日本/a", 6, "…本/a"),
    ("/x/01 Slow Tide.flac", 10, "01 Slow T…"), ("/home/music/", 7, "…music/"), ("/a/b", 0, ""),
  ])
  func `of a path the folders are cut first, then the end of its name`(path: String, width: Int, expected: String) {
    #expect(DisplayWidth.truncatedPath(path, toWidth: width) == expected)
    #expect(DisplayWidth.of(expected) <= width)
  }

  @Test(arguments: [
    ("tracks 1, 2 missing", 10, ["tracks 1,", "2 missing"]), ("abc", 10, ["abc"]), ("", 10, [""]),
    ("a  b", 10, ["a b"]),
    ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]), ("日本語", 4, ["日本", "語"]),
  ])
  func `what does not fit goes on in another line`(text: String, width: Int, expected: [String]) {
    #expect(DisplayWidth.wrapped(text, toWidth: width) == expected)
    #expect(expected.allSatisfy { DisplayWidth.of($0) <= width })
  }

  @Test func `padding counts cells, not characters`() {
    #expect(DisplayWidth.padded("日", toWidth: 4) == "日  ")
    #expect(DisplayWidth.padded("abc", toWidth: 2) == "abc")
  }
}
