import Foundation
import TestSupport
import Testing

/// `play --transitions`: what goes into the sink is what `render` writes.
struct PlayedTransitionsTests {
  private static let rate = 8_000

  /// Noise whose level in dBFS is given for each second; below -90 there is silence.
  private static func noise(_ seconds: Double, seed: UInt64, _ level: (Double) -> Double) -> [Int16] {
    var random = RepeatableRandom(seed: seed)
    return (0..<Int(seconds * Double(rate))).map { index in
      let level = level(Double(index) / Double(rate))
      let peak = level < -90 ? 0 : 32_768 * pow(10, level / 20) * 3.0.squareRoot()
      return Int16(Double.random(in: -1...1, using: &random) * min(peak, 32_767))
    }
  }

  /// In the order in which they are played, each with how it leads to the next one.
  private static let tracks: [(samples: [Int16], kind: String?)] = [
    // A loud ending without silence, and a quiet beginning.
    (noise(41.003, seed: 1) { _ in -14 }, "cross"),
    // It fades by itself.
    (noise(48.5, seed: 2) { $0 < 3 ? -30 : $0 > 30 ? -12 - ($0 - 30) * 3 : -12 }, "tail"),
    // Loud to the end, with silence behind it.
    (noise(36.77, seed: 3) { $0 > 33 ? -.infinity : -12 }, "butt"),
    // A long quiet ending, then silence.
    (noise(44.4, seed: 4) { $0 < 1.5 ? -.infinity : $0 > 41 ? -.infinity : $0 > 34 ? -30 : -12 }, "cross"),
    (noise(35.19, seed: 5) { $0 < 5 ? -28 : -10 }, "join"),
    (noise(9.01, seed: 6) { _ in -20 }, "cut"),
    (noise(6, seed: 7) { _ in -.infinity }, "cut"),
    (noise(33.33, seed: 8) { _ in -14 }, nil),
  ]

  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.named("tracks with all kinds of transitions") { music in
      for (index, track) in Self.tracks.enumerated() {
        try music.write(
          WaveFile.bytes(track.samples, sampleRateInHz: Self.rate, channelCount: 1), to: "\(index + 1).wav")
      }
    }.library()
  }

  /// The samples of a file, as bytes.
  private func sound(_ words: [String]) async throws -> Data {
    let file = deadwax.home.appending("sound.wav")
    try await deadwax.must(words + ["-o", file.path, "--overwrite"])
    let bytes = try Data(contentsOf: file)
    let data = try #require(bytes.range(of: Data("data".utf8)))
    return bytes[(data.upperBound + 4)...]
  }

  private func rendered(_ style: String, _ words: String..., bits: String = "float") async throws -> Data {
    try await sound(["render"] + words + ["path:.wav", "filename+", "--transitions", style, "--bits", bits])
  }

  private func played(_ style: String, _ words: String..., bits: String = "float") async throws -> Data {
    try await sound(
      ["play", "--no-screen", "--gain", "off"] + words
        + ["path:.wav", "filename+", "--transitions", style, "--bits", bits])
  }

  @Test func `the tracks lead to each other in all ways`() async throws {
    let text = try await deadwax.must(["transitions", "path:.wav filename+", "--json"]).text
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let tracks = try #require(document["tracks"] as? [[String: Any]])
    #expect(
      tracks.map { ($0["transition"] as? [String: Any])?["kind"] as? String } == Self.tracks.map(\.kind), "\(text)")
  }

  @Test(arguments: ["smart", "silence", "gapless"], ["float", "16"])
  func `what is played is what is rendered, bit for bit`(style: String, bits: String) async throws {
    let (played, rendered) = (try await played(style, bits: bits), try await rendered(style, bits: bits))
    #expect(played.count == rendered.count)
    #expect(played == rendered)
  }

  @Test func `gapless is every track whole`() async throws {
    let expected = Self.tracks.flatMap(\.samples).flatMap { sample in
      withUnsafeBytes(of: sample.littleEndian) { Array($0) }
    }
    #expect(Array(try await played("gapless", bits: "16")) == expected)
  }

  @Test func `a start inside the first track changes nothing behind it`() async throws {
    // Before, inside and behind the window in which the second track begins.
    let whole = try await played("smart", bits: "16")
    for seconds in ["10", "30"] {
      let part = try await played("smart", "--from", seconds, bits: "16")
      #expect(part.count == whole.count - 2 * Self.rate * (Int(seconds) ?? 0))
      #expect(part.elementsEqual(whole.suffix(part.count)))
    }
  }

  @Test func `each transition is explained before the track to which it leads`() async throws {
    let file = deadwax.home.appending("sound.wav")
    let outcome = try await deadwax.must([
      "play", "--no-screen", "path:.wav", "filename+", "--transitions", "smart", "--explain", "-o", file.path,
      "--overwrite",
    ])
    let kinds = outcome.errorText.split(separator: "\n").map { line in
      line.dropFirst("deadwax: ".count).prefix { $0 != ":" && $0 != " " }
    }
    #expect(kinds.map(String.init) == Self.tracks.compactMap(\.kind), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("tail 9") && outcome.errorText.contains("the track fades by itself"))
  }

  @Test(arguments: [
    (["render", "path:.wav", "--transitions", "smart", "--crossfade", "2", "-o", "x.wav"], "exclude each other"),
    (["play", "path:.wav", "--explain", "-o", "x.wav"], "--explain is for --transitions"),
    (["play", "path:.wav", "--transitions", "loud", "-o", "x.wav"], "smart"),
  ])
  func `what does not go together is refused`(words: [String], reason: String) async throws {
    let outcome = try await deadwax.run(words)
    #expect(outcome.status == 64 && outcome.errorText.contains(reason), "\(outcome)")
  }
}
