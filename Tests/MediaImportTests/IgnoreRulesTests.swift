import MediaImport
import MediaModel
import Testing

struct IgnoreRulesTests {
  @Test func `the last pattern that matches decides`() {
    let rules = IgnoreRules().adding(ignoreFile: Array("*.wav\n!keep.wav\n".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("a/x.wav"), isDirectory: false))
    #expect(!rules.excludes(BytePath("a/keep.wav"), isDirectory: false))
  }

  @Test func `a deeper file overrules those above it, below its own folder only`() {
    let rules = IgnoreRules().adding(ignoreFile: Array("*.wav".utf8), of: BytePath(""))
      .adding(ignoreFile: Array("!*.wav".utf8), of: BytePath("masters"))
    #expect(!rules.excludes(BytePath("masters/x.wav"), isDirectory: false))
    #expect(rules.excludes(BytePath("other/x.wav"), isDirectory: false))
  }

  @Test func `what the command line excludes no file takes back in`() {
    let rules = IgnoreRules(excluding: ["*.wav"]).adding(ignoreFile: Array("!*.wav".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("x.wav"), isDirectory: false))
  }

  @Test func `a name on the command line need not be UTF-8`() {
    let name: [UInt8] = [0x43, 0x61, 0x66, 0xE9]
    let rules = IgnoreRules(excluding: [ArgumentText.text(ofBytes: name + [UInt8(ascii: "/")])])
    #expect(rules.excludes(BytePath(name), isDirectory: true))
  }

  @Test func `what the command line takes back in is in, whatever files say`() {
    let rules = IgnoreRules(excluding: ["Podcasts/*", "!keep.mp3"])
      .adding(ignoreFile: Array("keep.mp3".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("Podcasts/x.mp3"), isDirectory: false))
    #expect(!rules.excludes(BytePath("Podcasts/keep.mp3"), isDirectory: false))
    #expect(!rules.excludes(BytePath("keep.mp3"), isDirectory: false))
  }

  @Test func `a mark at the start of a file is no part of its first pattern`() {
    let rules = IgnoreRules().adding(ignoreFile: [0xEF, 0xBB, 0xBF] + Array("*.wav".utf8), of: BytePath(""))
    #expect(rules.excludes(BytePath("x.wav"), isDirectory: false))
  }
}
