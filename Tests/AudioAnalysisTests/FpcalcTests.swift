import Foundation
import MediaModel
import Testing
import TestSupport

/// Chromaprint's own program, which decodes and resamples by FFmpeg, as a second opinion.
@Suite(.enabled(if: Tool.exist("fpcalc"), "fpcalc (libchromaprint-tools) is not installed"))
struct FpcalcTests {
  private struct Result: Decodable {
    var duration: Double
    var fingerprint: [UInt32]
  }

  /// Between 0 and 0.07 % of the bits differ, because FFmpeg rounds in other places.
  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000, 37_800], [1, 2])
  func `a recording has the fingerprint that fpcalc gives it`(rate: Int, channelCount: Int) throws {
    let expected = try compare(seconds: 8, rate: rate, channelCount: channelCount, limit: 0.002)
    #expect(expected.count == 43)
  }

  @Test func `at 11,025 Hz in mono, where nothing is resampled, no bit differs`() throws {
    _ = try compare(seconds: 40, rate: 11_025, channelCount: 1, limit: 0)
  }

  @Test(arguments: [11_025, 44_100])
  func `both stop after two minutes`(rate: Int) throws {
    let expected = try compare(seconds: 123, rate: rate, channelCount: 1, limit: 0.002)
    #expect(expected.count == 948)
  }

  @Test func `the text is that of fpcalc`() throws {
    let samples = sound(seconds: 12, rate: 11_025, channelCount: 1)
    let text = try fpcalc(samples, rate: 11_025, channelCount: 1, "-plain")
    let fingerprint = try fingerprint(samples.map { Float($0) / 32_768 }, sampleRateInHz: 11_025)
    #expect(fingerprint.text + "\n" == String(decoding: text, as: UTF8.self))
  }

  private func sound(seconds: Double, rate: Int, channelCount: Int) -> [Int16] {
    let channels = (0..<channelCount).map { Signal.chords(seconds: seconds, sampleRateInHz: rate, channel: $0) }
    return Signal.interleave(channels).map { Int16(max(-1, min($0, 0.999)) * 32_767) }
  }

  /// Compares all words and returns those of fpcalc.
  private func compare(seconds: Double, rate: Int, channelCount: Int, limit: Double) throws -> [UInt32] {
    let samples = sound(seconds: seconds, rate: rate, channelCount: channelCount)
    let output = try fpcalc(samples, rate: rate, channelCount: channelCount, "-raw", "-json")
    let expected = try JSONDecoder().decode(Result.self, from: output)
    let found = try fingerprint(
      samples.map { Float($0) / 32_768 }, sampleRateInHz: rate, channelCount: channelCount)
    #expect(found.words.count == expected.fingerprint.count)
    let errorRate = bitErrorRate(found.words, expected.fingerprint)
    #expect(errorRate <= limit, "\(rate) Hz, \(channelCount) channels")
    return expected.fingerprint
  }

  private func fpcalc(_ samples: [Int16], rate: Int, channelCount: Int, _ options: String...) throws -> Data {
    let folder = try TemporaryFolder()
    try folder.write(
      WaveFile.bytes(samples, sampleRateInHz: rate, channelCount: channelCount), to: "sound.wav")
    let tool = try #require(Tool("fpcalc"))
    // Some versions report the end of the file as an error after they have printed everything.
    return try tool.run(options + [folder.appending("sound.wav").path], acceptsFailure: true)
  }
}
