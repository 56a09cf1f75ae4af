import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct PitchAndRateTests {
  @Test(arguments: [(1200.0, 2.0), (-1200, 0.5), (700, 1.498307), (-2400, 0.25), (2400, 4), (1, 1.000578)])
  func `a sine has the new pitch within a cent, and the same length`(cents: Double, factor: Double) throws {
    let sine = Signal.sine(hz: 440, sampleRateInHz: 44_100, frameCount: 44_100 * 6, amplitude: 0.5)
    let result = try output(of: try PitchShifter(cents: cents, format: mono(44_100)), for: sine)
    #expect(result.count == sine.count)
    let found = frequency(of: result[44_100..<44_100 * 5], sampleRate: 44_100)
    #expect(abs(1200 * log2(found / (440 * factor))) < 1)
  }

  @Test(arguments: [(0.5, 88_202), (2.0, 22_051), (0.25, 176_404), (4, 11_025), (1.0594630943592953, 41_626)])
  func `a rate divides the length and multiplies the frequency`(rate: Double, frameCount: Int) throws {
    let sine = Signal.sine(hz: 1000, sampleRateInHz: 44_100, frameCount: 44_101, amplitude: 0.5)
    let effect = try SampleRateConverter(playing: mono(44_100), atRate: rate)
    let result = try output(of: effect, for: sine)
    #expect(result.count == frameCount)
    #expect(effect.outputFrameCount(for: 44_101) == Int64(frameCount))
    let found = frequency(of: result[1000..<(frameCount - 1000)], sampleRate: 44_100)
    #expect(abs(found - 1000 * rate) < 0.01 * rate)
  }

  @Test(arguments: [44_100, 22_050, 96_000, 8000])
  func `another sample rate keeps time, frequency and amplitude`(rate: Int) throws {
    let sine = Signal.sine(hz: 1000, sampleRateInHz: rate, frameCount: 2 * rate, amplitude: 0.5)
    let result = try output(of: try SampleRateConverter(mono(rate), toSampleRate: 48_000), for: sine)
    #expect(result.count == 96_000)
    // The same sine computed at the new rate: no delay, and the same level.
    let expected = Signal.sine(hz: 1000, sampleRateInHz: 48_000, frameCount: 96_000, amplitude: 0.5)
    for frame in 10_000..<86_000 { #expect(abs(result[frame] - expected[frame]) < 2e-6) }
  }

  @Test(arguments: [1, 2, 5])
  func `cutting the stream into blocks changes no bit`(channelCount: Int) throws {
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: channelCount)
    let noise = Signal.whiteNoise(frameCount: 20_000 * channelCount, rms: 0.2)
    try expectSameWhereverCut(noise, channelCount: channelCount) { try PitchShifter(cents: 350, format: format) }
    try expectSameWhereverCut(noise, channelCount: channelCount) {
      try SampleRateConverter(playing: format, atRate: 0.943874)
    }
    try expectSameWhereverCut(noise, channelCount: channelCount) {
      try SampleRateConverter(format, toSampleRate: 48_000)
    }
  }

  @Test(arguments: [0, 1, 5, 700])
  func `short and empty streams keep their length, too`(frameCount: Int) throws {
    let samples = [Float](repeating: 0.25, count: frameCount)
    #expect(try output(of: try PitchShifter(cents: -500, format: mono(44_100)), for: samples).count == frameCount)
    #expect(
      try output(of: try SampleRateConverter(playing: mono(44_100), atRate: 0.5), for: samples).count
        == 2 * frameCount)
  }

  @Test func `more channels than SoundTouch takes are refused`() {
    #expect(throws: EffectError.self) {
      try PitchShifter(cents: 100, format: AudioFormat(sampleRateInHz: 44_100, channelCount: 17))
    }
  }
}
