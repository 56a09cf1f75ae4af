import Foundation
import TestSupport
import Testing

/// What decoding shows of a recording is said of every file that holds it, although only one is decoded.
struct SharedNotesTests {
  /// Noise with the sync word of DTS at even distances, which is no frame.
  private static let samples: [Int16] = {
    var random = RepeatableRandom(seed: 12)
    var samples = (0..<80_000).map { _ in Int16.random(in: -9000...9000, using: &random) }
    for place in stride(from: 4, to: samples.count - 1, by: 1_000) {
      samples.replaceSubrange(place...place + 1, with: [0x7FFE, -0x7FFF])
    }
    return samples
  }()

  @Test func `each copy of coded sound is noted, whichever scan finds it`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let music = try MusicFolder()
    let bytes = WaveFile.bytes(Self.samples, sampleRateInHz: 44_100, channelCount: 2)
    try music.write(bytes, to: "a.wav")
    try music.write(bytes + [1, 2, 3, 4], to: "b.wav")
    try await deadwax.must(["scan", music.path])
    try music.write(bytes + [5, 6], to: "c.wav")
    try await deadwax.must(["scan", music.path])
    let notes = try await deadwax.sqlite("SELECT count(*) FROM file WHERE notes LIKE '%\"coded-sound\"%'")
    #expect(notes == "3")
    #expect(try await deadwax.sqlite("SELECT count(*) FROM audio") == "1")
  }
}
