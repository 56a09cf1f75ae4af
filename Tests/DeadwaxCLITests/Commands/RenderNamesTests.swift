import Foundation
import Testing
import TestSupport

/// The names that `render` gives to files in a folder.
struct RenderNamesTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder()
  }

  /// A file of silence, a different length each time.
  private func add(_ name: String, _ tags: String...) throws {
    try music.addSilence(seconds: 1, as: "x.wav")
    let length = try FileManager.default.contentsOfDirectory(atPath: music.path).count
    let file = music.file(name).path
    try Tool.run(
      "flac",
      arguments: ["-s", "--until=\(4410 * length)"] + tags.map { "--tag=\($0)" } + [
        music.file("x.wav").path, "-o", file,
      ])
    try music.remove("x.wav")
  }

  private func names(_ template: String, _ options: String...) async throws -> [String] {
    try await deadwax.must(["scan", "-q", music.path])
    let arguments = ["render", "--format", "wav", "--name", template, "-o", "out/"] + options
    let shown = try await deadwax.must(arguments + ["--dry-run"])
    #expect(!FileManager.default.fileExists(atPath: deadwax.home.appending("out").path))
    try await deadwax.must(arguments)
    let written = try FileManager.default.subpathsOfDirectory(atPath: deadwax.home.appending("out").path)
      .filter { $0.hasSuffix(".wav") }.sorted()
    let promised = shown.text.split(separator: "\n").compactMap { $0.components(separatedBy: " -> out/").last }
    #expect(promised.sorted() == written, "\(shown)")
    return written
  }

  @Test(.enabled(if: Tool.exist("flac"), "flac is not installed"))
  func `folders, and what stands for a missing value`() async throws {
    try add("one.flac", "TITLE=A/B", "ARTIST=AC/DC", "ALBUM=..", "TRACKNUMBER=7/12")
    try add("two.flac", "ARTIST=Nora", "ALBUMARTIST=Various", "ALBUM=Slow. ", "TITLE=End?", "TRACKNUMBER=112")
    try add("three.flac")
    let found = try await names("{albumartist}/{album}/{track} {title}")
    #expect(
      found == ["AC_DC/untitled/07 A_B.wav", "Unknown/Unknown/00 three.wav", "Various/Slow/112 End_.wav"])
  }

  @Test(.enabled(if: Tool.exist("flac"), "flac is not installed"))
  func `tracks with one name are numbered, in their folder`() async throws {
    try add("1.flac", "TITLE=Same", "ALBUM=One")
    try add("2.flac", "TITLE=SAME", "ALBUM=One")
    try add("3.flac", "TITLE=Same", "ALBUM=Two")
    #expect(try await names("{album}/{title}") == ["One/SAME (2).wav", "One/Same.wav", "Two/Same.wav"])
  }

  @Test(.enabled(if: Tool.exist("flac"), "flac is not installed"))
  func `a dry run says which files exist, and writes none`() async throws {
    try add("1.flac", "TITLE=Same")
    try await deadwax.must(["scan", "-q", music.path])
    try await deadwax.must(["render", "1", "-o", "x.wav"])
    let before = try Data(contentsOf: deadwax.home.appending("x.wav"))
    for (options, remark) in [([], "already exists"), (["--overwrite"], "replaces a file")] {
      let outcome = try await deadwax.must(["render", "1", "--preset", "Bass", "-o", "x.wav", "--dry-run"] + options)
      #expect(outcome.text == "\(music.file("1.flac").path) -> x.wav (\(remark))\n")
    }
    #expect(try Data(contentsOf: deadwax.home.appending("x.wav")) == before)
  }
}
