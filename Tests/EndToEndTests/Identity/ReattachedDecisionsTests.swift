import Foundation
import TestSupport
import Testing

// Faults: 233
/// Decisions about a file that is gone go to a file that is the same from start to end.
struct ReattachedDecisionsTests {
  private static let rate = 22_050
  /// A fingerprint knows 120 of them.
  private static let seconds = 150.0

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  private let tune = Signal.chords(seconds: Self.seconds, sampleRateInHz: Self.rate, channel: 3)

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    try write(tune, to: "lost.wav")
    try await deadwax.must(["scan", "-q", music.path])
    try await deadwax.must(["rate", "5", "--", "path:lost"])
    try FileManager.default.removeItem(at: music.file("lost.wav"))
  }

  private func write(_ samples: [Float], to name: String) throws {
    let integers = samples.map { Int16(max(-1, min(1, $0)) * 30_000) }
    try music.write(WaveFile.bytes(integers, sampleRateInHz: Self.rate, channelCount: 1), to: name)
  }

  private func reattached() async throws -> String {
    try await deadwax.must(["scan", "-q", music.path])
    return try await deadwax.must(["preset", "reattach", "--yes"]).text
  }

  private enum Change: CaseIterable { case silentEnd, otherEnd, silentSecond }

  @Test(arguments: Change.allCases)
  private func `a file that differs behind the fingerprint gets nothing`(change: Change) async throws {
    let start = Int(130 * Double(Self.rate))
    let other = Signal.chords(seconds: Self.seconds, sampleRateInHz: Self.rate, channel: 8)
    var changed = tune
    let end = change == .silentSecond ? start + Self.rate : changed.count
    for frame in start..<end { changed[frame] = change == .otherEnd ? other[frame] : 0 }
    try write(changed, to: "changed.wav")
    #expect(try await reattached().contains("no certain match"))
    #expect(try await !deadwax.must(["ls", "rating:5"]).text.contains("changed"))
  }

  @Test func `another encoding with silence before it gets them`() async throws {
    // Four words of the fingerprint.
    let seconds: Double = 4 * 4_096 / 3 / 11_025
    let padded = [Float](repeating: 0, count: Int(seconds * Double(Self.rate))) + tune
    let source = deadwax.home.appending("source.wav")
    try Data(
      WaveFile.bytes(padded.map { Int16($0 * 12_000) }, sampleRateInHz: Self.rate, channelCount: 1)
    ).write(to: source)
    try Tool.run(
      "ffmpeg",
      arguments: ["-v", "error", "-i", source.path, "-c:a", "libmp3lame", "-b:a", "96k", music.file("again.mp3").path])
    let text = try await reattached()
    #expect(text.contains("moved to"), "\(text)")
    #expect(try await deadwax.must(["ls", "rating:5"]).text.contains("again"))
  }
}
