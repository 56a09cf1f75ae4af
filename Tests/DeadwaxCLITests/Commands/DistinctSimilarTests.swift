import Foundation
import TestSupport
import Testing

/// `similar` and `playlist` name no recording twice, whatever formats and cuts of it there are.
@Suite(.enabled(if: Tool.exist("flac", "lame", "ffmpeg"), "flac, lame or ffmpeg is not installed"))
struct DistinctSimilarTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.named("three pieces with copies and cuts", Self.write).library().called
  }

  /// Three pieces of other notes, the first one as FLAC, MP3 and without its ends, and one with broken bytes.
  private static func write(to music: MusicFolder) throws {
    for (number, name) in ["one", "two", "three"].enumerated() {
      let wave = music.file("\(name).wav")
      try music.write(
        WaveFile.bytes(piece(seed: number + 1), sampleRateInHz: 22_050, channelCount: 1), to: "\(name).wav")
      guard number == 0 else { continue }
      try Tool.run("lame", "--quiet", "-b", "96", wave.path, music.file("copy.mp3").path)
      try Tool.run(
        "ffmpeg", "-v", "error", "-ss", "4", "-t", "30", "-i", wave.path, music.file("cut.flac").path)
    }
    try music.write(
      WaveFile.bytes(piece(seed: 9), sampleRateInHz: 22_050, channelCount: 1), to: "broken.wav")
    try Tool.run("flac", "--silent", "--delete-input-file", music.file("broken.wav").path)
    var bytes = [UInt8](try Data(contentsOf: music.file("broken.flac")))
    for index in bytes.count / 2..<bytes.count / 2 + 200 { bytes[index] = 0xA5 }
    try music.write(bytes, to: "broken.flac")
  }

  /// A note of three harmonics every quarter of a second, for forty seconds.
  private static func piece(seed: Int) -> [Int16] {
    let rate = 22_050
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    var samples: [Int16] = []
    for _ in 0..<160 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let hz = 110 * pow(2, Double(state >> 33) / Double(1 << 31) * 3)
      for frame in 0..<rate / 4 {
        let time = Double(frame) / Double(rate)
        let tone = (1...3).reduce(0.0) { $0 + sin(2 * .pi * hz * Double($1) * time) / Double($1) }
        samples.append(Int16(8_000 * tone * exp(-4 * time)))
      }
    }
    return samples
  }

  private struct Found: Decodable {
    struct Track: Decodable { var path: String }
    var tracks: [Track]

    var names: [String] { tracks.map { URL(filePath: $0.path).lastPathComponent } }
  }

  @Test(arguments: ["one.wav", "copy.mp3", "cut.flac"])
  func `what sounds like a track is neither a copy nor a cut of it`(name: String) async throws {
    let found: Found = try await deadwax.must(["similar", "filename:\(name)", "--json"]).document()
    #expect(Set(found.names) == ["two.wav", "three.wav"], "\(found.names)")
  }

  private func id(_ name: String) async throws -> String {
    let text = try await deadwax.must(["ls", "--fields", "id", "filename:=\(name)"]).text
    return text.split(separator: "\n").last?.trimmingCharacters(in: .whitespaces) ?? ""
  }

  @Test func `of the copies of another track the nearest comes`() async throws {
    let found: Found = try await deadwax.must(["similar", "filename:two.wav", "--json"]).document()
    #expect(found.names.count == 2 && found.names.contains("three.wav") && !found.names.contains("broken.flac"))
    // In a query it is what it says: all of them that are whole.
    let all = try await deadwax.must(["ls", "similar:\(await id("two.wav"))", "--fields", "filename"]).text
    let names = all.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(names.first == "two.wav")
    #expect(names.sorted() == ["copy.mp3", "cut.flac", "one.wav", "three.wav", "two.wav"])
  }

  @Test func `a playlist has neither copies nor what is damaged, unless it is named`() async throws {
    let text = try await deadwax.must(["playlist", "--from", id("one.wav"), "--length", "20"]).text
    #expect(text.contains("two.wav") && text.contains("three.wav"), "\(text)")
    for name in ["copy.mp3", "cut.flac", "broken.flac"] { #expect(!text.contains(name), "\(name): \(text)") }
    let named = try await deadwax.must(["playlist", "--from", id("broken.flac"), "--length", "20"]).text
    #expect(named.contains("broken.flac"), "\(named)")
  }
}
