import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

struct FingerprintAnalyzerTests {
  /// By definition a frame has 4,096 samples, the next begins 1,365 samples later, and the first word covers 20 frames.
  @Test(arguments: [(10, 59), (30, 221), (60, 463), (120, 948), (121, 948), (200, 948)])
  func `there is a word for each 0.124 s, up to two minutes`(seconds: Int, wordCount: Int) throws {
    for rate in [11_025, 44_100] {
      let silence = [Float](repeating: 0, count: seconds * rate)
      #expect(try fingerprint(silence, sampleRateInHz: rate).words.count == wordCount)
    }
  }

  @Test func `silence has only one word, and the default algorithm has the number 1`() throws {
    let fingerprint = try fingerprint([Float](repeating: 0, count: 441_000), sampleRateInHz: 44_100)
    #expect(Set(fingerprint.words) == [627_964_279])
    #expect(fingerprint.algorithm == 1)
  }

  @Test(arguments: [(0, 0), (1, 0), (30_030, 0), (30_031, 1), (31_395, 1), (31_396, 2)])
  func `a recording of less than 2.73 s has no words`(sampleCount: Int, wordCount: Int) throws {
    let noise = Signal.whiteNoise(frameCount: sampleCount, rms: 0.1)
    #expect(try fingerprint(noise, sampleRateInHz: 11_025).words.count == wordCount)
    let fourfold = Signal.whiteNoise(frameCount: 4 * sampleCount, rms: 0.1)
    #expect(try fingerprint(fourfold, sampleRateInHz: 44_100).words.count == wordCount)
  }

  @Test(arguments: [8_000, 11_025, 44_100, 44_101, 96_000, 384_000], [1, 777, 4_096])
  func `where blocks are cut does not change a bit`(rate: Int, blockSize: Int) throws {
    let sound = Signal.chords(seconds: 5, sampleRateInHz: rate)
    let whole = try fingerprint(sound, sampleRateInHz: rate)
    #expect(whole.words.count == 19)
    #expect(try fingerprint(sound, sampleRateInHz: rate, blockSize: blockSize) == whole)
  }

  @Test func `what comes after two minutes changes nothing`() throws {
    let sound = Signal.chords(seconds: 121, sampleRateInHz: 16_000)
    let loud = [Float](repeating: 0.9, count: 16_000)
    #expect(try fingerprint(sound, sampleRateInHz: 16_000) == fingerprint(sound + loud, sampleRateInHz: 16_000))
  }

  @Test(arguments: [22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000, 384_000])
  func `the sample rate does not matter`(rate: Int) throws {
    let reference = try fingerprint(tones(sampleRateInHz: 11_025), sampleRateInHz: 11_025)
    let other = try fingerprint(tones(sampleRateInHz: rate), sampleRateInHz: rate)
    #expect(other.words.count == reference.words.count)
    #expect(bitErrorRate(other.words, reference.words) < 0.002)
  }

  @Test func `sample rates below the lowest notes give no words`() throws {
    #expect(try fingerprint([Float](repeating: 0.5, count: 9_000), sampleRateInHz: 999).words.isEmpty)
    #expect(try fingerprint([Float](repeating: 0.5, count: 9_000), sampleRateInHz: 1).words.isEmpty)
    #expect(!(try fingerprint([Float](repeating: 0.5, count: 9_000), sampleRateInHz: 1_000).words.isEmpty))
  }

  @Test(arguments: [Float.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e30, .leastNonzeroMagnitude])
  func `samples of any magnitude give words`(size: Float) throws {
    var random = RepeatableRandom(seed: 3)
    for rate in [11_025, 44_100] {
      let sound = (0..<5 * rate).map { _ in Bool.random(using: &random) ? size : -size / 3 }
      #expect(try fingerprint(sound, sampleRateInHz: rate).words.count == 19)
    }
  }

  /// Tones with no other frequencies at any sample rate, with slowly changing levels.
  private func tones(sampleRateInHz rate: Int) -> [Float] {
    var sound = [Float](repeating: 0, count: 20 * rate)
    for (index, hz) in [110.0, 233, 349, 523, 740, 1_175, 1_661, 2_349].enumerated() {
      let tone = Signal.sine(hz: hz, sampleRateInHz: rate, frameCount: sound.count, amplitude: 0.08)
      let swell = Signal.sine(
        hz: 0.3 + 0.17 * Double(index), sampleRateInHz: rate, frameCount: sound.count, phase: Double(index))
      for frame in sound.indices { sound[frame] += tone[frame] * (1 + swell[frame]) }
    }
    return sound
  }
}
