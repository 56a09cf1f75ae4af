import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// DSF and DSDIFF: levels, lengths, positions and identity of made-up bits.
struct DSDTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func decode(_ bytes: [UInt8], _ name: String) throws -> DecodedFile {
    try folder.write(bytes, to: name)
    return try DecodedFile(folder.appending(name))
  }

  /// A tone in samples, by correlation: cosine and sine, over whole periods of 100 Hz, without the first 10 ms.
  ///
  /// - Parameter delay: of the first sample, in samples.
  private func tone(
    _ samples: [Float], rate: Int, frequencyInHz: Double, delay: Double = 0
  ) -> (cosine: Double, sine: Double) {
    let period = rate / 100
    let range = period..<(samples.count / period - 1) * period
    var result = (cosine: 0.0, sine: 0.0)
    for index in range {
      let angle = 2 * .pi * frequencyInHz * (Double(index) + delay) / Double(rate)
      result.cosine += Double(samples[index]) * cos(angle)
      result.sine += Double(samples[index]) * sin(angle)
    }
    let scale = 2 / Double(range.count)
    return (result.cosine * scale, result.sine * scale)
  }

  @Test(arguments: [2_822_400, 5_644_800, 11_289_600, 22_579_200, 3_072_000, 6_144_000])
  func `a tone keeps its level at every rate, and each frame has its bits`(_ rate: Int) throws {
    // 50 ms.
    let byteCount = rate / 20 / 8
    let bits = DSDFiles.tone(byteCount: byteCount, rate: rate, frequencyInHz: 1000, amplitude: 0.5)
    let decoded = try decode(DSDFiles.dsf([bits], rate: rate), "a.dsf")
    let decodedRate = rate % 88_200 == 0 ? 88_200 : 96_000
    #expect(decoded.format.sampleRateInHz == decodedRate)
    #expect(decoded.frameCount == decodedRate / 20)
    #expect(decoded.mediaFormat.bitRateInBitsPerSecond == rate && decoded.mediaFormat.bitsPerSample == 1)
    #expect(decoded.mediaFormat.codec == .dsd && decoded.outcome.state == .ok)
    let tone = tone(decoded.samples, rate: decodedRate, frequencyInHz: 1000)
    #expect(abs(20 * log10((tone.cosine * tone.cosine + tone.sine * tone.sine).squareRoot() / 0.5)) < 0.01)
  }

  @Test(arguments: [100.0, 10_000, 20_000, 30_000])
  func `the audible band is flat, and the phase is linear`(_ frequency: Double) throws {
    let rate = 2_822_400
    let bits = DSDFiles.tone(byteCount: rate / 10 / 8, rate: rate, frequencyInHz: frequency, amplitude: 0.4)
    let decoded = try decode(DSDFiles.dsf([bits], rate: rate), "a.dsf")
    // The tone in the bits themselves; a frame lies in the middle of its 32.
    let samples = bits.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 == 1 ? Float(1) : -1 } }
    let expected = tone(samples, rate: rate, frequencyInHz: frequency)
    let found = tone(decoded.samples, rate: 88_200, frequencyInHz: frequency, delay: 15.5 / 32)
    #expect(abs(found.cosine - expected.cosine) < 0.0004 && abs(found.sine - expected.sine) < 0.0004)
  }

  /// Two channels of some 20 blocks, and a length that is no whole number of frames.
  private static let channels = [300.0, 7000].map {
    DSDFiles.tone(byteCount: 80_003, rate: 2_822_400, frequencyInHz: $0, amplitude: 0.4)
  }

  @Test func `the same bits are one stream and have one decode in DSF and DSDIFF`() throws {
    let files = [
      ("a.dsf", DSDFiles.dsf(Self.channels, rate: 2_822_400)),
      ("b.dsf", DSDFiles.dsf(Self.channels, rate: 2_822_400, isLowestFirst: false, blockByteCount: 1024)),
      ("c.dff", DSDFiles.dsdiff(Self.channels, rate: 2_822_400)),
    ]
    let decoded = try files.map { try decode($0.1, $0.0) }
    #expect(decoded.allSatisfy { $0.frameCount == 20_000 && $0.samples == decoded[0].samples })
    let identities = try files.map { try OpenFile(folder.appending($0.0)).identity() }
    #expect(Set(identities.map(\.hash)).count == 1 && identities[0].hashVersion == 2)
    let hashes = try files.map { name, _ in
      let file = try OpenFile(folder.appending(name))
      let decoder = try file.mediaFile().makeDecoder(hashesSamples: true)
      _ = try decoder.readAll()
      return try #require(decoder.decodedStream.sampleHash)
    }
    #expect(Set(hashes).count == 1)
    #expect(decoded[2].mediaFormat.container == .dsdiff)
  }

  @Test func `ranges and blocks of any size equal the whole decode`() throws {
    let whole = try decode(DSDFiles.dsf(Self.channels, rate: 2_822_400), "a.dsf")
    let file = try OpenFile(folder.appending("a.dsf"))
    let decoder = try file.decoder()
    var random = RepeatableRandom(seed: 40)
    for _ in 0..<200 {
      let position = Int.random(in: 0...whole.frameCount, using: &random)
      let count = Int.random(in: 1...3000, using: &random)
      try decoder.seek(toFrame: Int64(position))
      let expected = whole.samples[(2 * position)...].prefix(2 * count)
      let isEqual = try decoder.readFrames(count).elementsEqual(expected)
      #expect(isEqual)
    }
    #expect(try DecodedFile(folder.appending("a.dsf"), blockFrameCount: 333).samples == whole.samples)
  }

  @Test(arguments: ["a.dsf", "a.dff"])
  func `a file that is cut gives what is there, and says what is missing`(_ name: String) throws {
    let isDSF = name == "a.dsf"
    let bytes = isDSF ? DSDFiles.dsf(Self.channels, rate: 2_822_400) : DSDFiles.dsdiff(Self.channels, rate: 2_822_400)
    let whole = try decode(bytes, name)
    let cut = try decode(Array(bytes[..<(bytes.count / 2)]), "cut-\(name)")
    #expect(cut.outcome.state == .damaged && cut.outcome.problem?.code == "truncated")
    #expect(cut.frameCount > 9_000 && cut.frameCount <= 10_000)
    // The last frames miss what is behind them.
    let certain = 2 * (cut.frameCount - 19)
    #expect(cut.samples[..<certain] == whole.samples[..<certain])
  }

  @Test func `DST is unsupported by its name, and so is a rate that is none of DSD`() throws {
    for (bytes, reason) in [
      (DSDFiles.dsdiff(Self.channels, rate: 2_822_400, compression: "DST "), "no decoder for DST, compressed DSD"),
      (DSDFiles.dsdiff(Self.channels, rate: 2_822_401), "no decoder for DSD of 2822401 Hz"),
    ] {
      #expect(throws: DecodingError.unsupported(reason: reason)) { try decode(bytes, "a.dff") }
    }
  }

  @Test func `changed bytes in a header are never worse than damage`() throws {
    for original in [DSDFiles.dsf(Self.channels, rate: 2_822_400), DSDFiles.dsdiff(Self.channels, rate: 2_822_400)] {
      try folder.readMutations(of: original, as: "b", count: 100, seed: 41, changes: 1...1, places: 4..<130) {
        let file = try OpenFile($0)
        _ = try file.identity()
        _ = try file.decoder().readFrames(30_000)
      }
    }
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `FFmpeg hears the same level`() throws {
    let bits = DSDFiles.tone(byteCount: 2_822_400 / 8, rate: 2_822_400, frequencyInHz: 1000, amplitude: 0.3)
    let decoded = try decode(DSDFiles.dsf([bits], rate: 2_822_400), "a.dsf")
    let oracle = folder.appending("oracle.wav")
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", folder.appending("a.dsf").path, "-c:a", "pcm_f32le",
      oracle.path)
    let other = try DecodedFile(oracle)
    let found = tone(decoded.samples, rate: 88_200, frequencyInHz: 1000).sine
    // FFmpeg gives 352.8 kHz, 5.31 samples late.
    let expected = tone(other.samples, rate: 352_800, frequencyInHz: 1000, delay: -5.31).sine
    #expect(abs(20 * log10(found / expected)) < 0.01)
  }
}
