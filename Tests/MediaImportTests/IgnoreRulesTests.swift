import Base
import MediaImport
import Testing

struct IgnoreRulesTests {
  @Test func `the last pattern that matches decides`() {
    let rules = IgnoreRules().adding(ignoreFile: Array("*.wav\n!keep.wav\n".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("a/x.wav"), isDirectory: false))
    #expect(!rules.excludes(BytePath("a/keep.wav"), isDirectory: false))
  }

  @Test func `a deeper file overrides those above it, only below its own folder`() {
    let rules = IgnoreRules().adding(ignoreFile: Array("*.wav".utf8), of: BytePath(""))
      .adding(ignoreFile: Array("!*.wav".utf8), of: BytePath("masters"))
    #expect(!rules.excludes(BytePath("masters/x.wav"), isDirectory: false))
    #expect(rules.excludes(BytePath("other/x.wav"), isDirectory: false))
  }

  @Test func `no file includes again what the command line excludes`() {
    let rules = IgnoreRules(excluding: ["*.wav"]).adding(ignoreFile: Array("!*.wav".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("x.wav"), isDirectory: false))
  }

  @Test func `a name on the command line need not be UTF-8`() {
    let name: [UInt8] = [0x43, 0x61, 0x66, 0xE9]
    let rules = IgnoreRules(excluding: [ArgumentText.text(ofBytes: name + [UInt8(ascii: "/")])])
    #expect(rules.excludes(BytePath(name), isDirectory: true))
  }

  @Test func `what the command line includes again is included, whatever files say`() {
    let rules = IgnoreRules(excluding: ["Podcasts/*", "!keep.mp3"])
      .adding(ignoreFile: Array("keep.mp3".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("Podcasts/x.mp3"), isDirectory: false))
    #expect(!rules.excludes(BytePath("Podcasts/keep.mp3"), isDirectory: false))
    #expect(!rules.excludes(BytePath("keep.mp3"), isDirectory: false))
  }

  @Test func `a byte order mark is not part of the first pattern`() {
    let rules = IgnoreRules().adding(ignoreFile: [0xEF, 0xBB, 0xBF] + Array("*.wav".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("x.wav"), isDirectory: false))
  }
}

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
  func `blank lines and comments are not patterns`(line: String) {
    #expect(GlobPattern(line: Array(line.utf8)) == nil)
  }

  @Test func `a pattern with many stars is matched in time`() throws {
    let glob = try #require(GlobPattern(line: Array(String(repeating: "*a", count: 200).utf8)))
    #expect(!glob.matches([UInt8](repeating: UInt8(ascii: "a"), count: 5000) + [UInt8(ascii: "b")], isDirectory: false))
  }
}
