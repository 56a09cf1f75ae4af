import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Tool.exist("espeak-ng", "flac"), "espeak-ng or flac is not installed"))
struct AnnounceCommandTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3")
    try await deadwax.must(["scan", "-q", music.path])
  }

  private func path(_ name: String) -> String { deadwax.home.appending(name).path }

  @Test func `a title becomes a sound file, or goes to standard output`() async throws {
    try await deadwax.must(["announce", "1", "-o", path("title.wav")])
    let spoken = try WaveFile(URL(filePath: path("title.wav")))
    #expect(spoken.sampleRateInHz == 22_050 && spoken.channelCount == 1)
    #expect((5000...200_000).contains(spoken.samples.count))
    let piped = try await deadwax.must(["announce", "1"]).standardOutput
    #expect(try piped == Data(contentsOf: URL(filePath: path("title.wav"))))
    try await deadwax.must(["announce", "-o", path("spoken") + "/", "--format", "flac", "--name", "{stem}"])
    #expect(FileManager.default.fileExists(atPath: path("spoken/clean.flac")))
  }

  @Test func `what no voice reads is an error that says what to do`() async throws {
    let outcome = try await deadwax.run(["announce", "1", "-o", path("none.wav"), "--text", "夜"])
    #expect(outcome.status == 1 && outcome.errorText.contains("TITLESORT"))
    #expect(!FileManager.default.fileExists(atPath: path("none.wav")))
  }

  @Test func `tracks become one file with announcements`() async throws {
    try await deadwax.must(["render", "1", "-o", path("alone.wav"), "-b", "16", "--no-dither"])
    try await deadwax.must(["render", "1", "-o", path("radio.wav"), "-b", "16", "--no-dither", "--announce"])
    let (alone, radio) = (
      try WaveFile(URL(filePath: path("alone.wav"))), try WaveFile(URL(filePath: path("radio.wav")))
    )
    #expect(radio.samples.count > alone.samples.count + 5000)
    #expect(Array(radio.samples.suffix(alone.samples.count)) == alone.samples)
  }

  @Test(arguments: [
    ["render", "1", "-o", "x.wav", "--crossfade", "31"], ["render", "1", "-o", "x.wav", "--text", "{title}"],
    ["render", "1", "-o", "x/", "--announce"], ["render", "1", "-o", "x.wav", "--announce", "--start", "1"],
    ["render", "1", "-o", "x.wav", "--announce", "--language", "Klingon"], ["announce", "1", "--text", "{title"],
    ["announce"],
  ])
  func `options that do not go together are refused`(arguments: [String]) async throws {
    #expect(try await deadwax.run(arguments).status == 64)
  }
}
