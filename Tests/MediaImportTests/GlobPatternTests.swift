import MediaImport
import Testing

struct GlobPatternTests {
  /// What `git check-ignore` says of these patterns and paths.
  @Test(arguments: [
    ("*.wav", "a.wav", false, true), ("*.wav", "b/c/a.wav", false, true), ("*.wav", "a.wave", false, false),
    ("/a.wav", "a.wav", false, true), ("/a.wav", "b/a.wav", false, false),
    ("stems/", "stems", true, true), ("stems/", "stems", false, false), ("stems/", "x/stems", true, true),
    ("a/b", "a/b", false, true), ("a/b", "x/a/b", false, false),
    ("**/b", "b", false, true), ("**/b", "x/y/b", false, true), ("a/**/b", "a/b", false, true),
    ("a/**/b", "a/x/y/b", false, true),
    ("a/**", "a/b/c", false, true), ("a/**", "a", true, false),
    ("?.flac", "a.flac", false, true), ("?.flac", "ab.flac", false, false), ("a?b", "a/b", false, false),
    ("[a-c].mp3", "b.mp3", false, true), ("[!a-c].mp3", "b.mp3", false, false), ("[!a-c].mp3", "d.mp3", false, true),
    ("\\#x", "#x", false, true), ("[", "[", false, true), ("a\\*b", "a*b", false, true), ("a\\*b", "axb", false, false),
    ("foo*bar*baz", "foo--bar--baz", false, true), ("foo*bar*baz", "foo--baz--bar", false, false),
  ])
  func `patterns match as git's do`(pattern: String, path: String, isDirectory: Bool, expected: Bool) throws {
    let glob = try #require(GlobPattern(line: Array(pattern.utf8)))
    #expect(glob.matches(Array(path.utf8), isDirectory: isDirectory) == expected)
  }

  @Test(arguments: ["", "   ", "# a comment"])
  func `blank lines and comments are no patterns`(line: String) {
    #expect(GlobPattern(line: Array(line.utf8)) == nil)
  }

  @Test func `a pattern made to explode does not`() throws {
    let glob = try #require(GlobPattern(line: Array(String(repeating: "*a", count: 200).utf8)))
    #expect(!glob.matches([UInt8](repeating: UInt8(ascii: "a"), count: 5000) + [UInt8(ascii: "b")], isDirectory: false))
  }
}
