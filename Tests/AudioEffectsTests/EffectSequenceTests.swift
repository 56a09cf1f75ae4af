import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct EffectSequenceTests {
  @Test func `a neutral chain changes no bit`() throws {
    let noise = Signal.whiteNoise(frameCount: 3000, rms: 0.2)
    let neutral = try EffectSequence(.neutral, format: mono(44_100))
    #expect(neutral.isNeutral)
    #expect(try output(of: neutral, for: noise) == noise)
    // Inaudible bands and a dry reverberation are not effects.
    let bypassed = try EffectChain(
      equalizer: GraphicEqualizer.equalizer(sliders: Array(repeating: 0, count: 10)),
      reverberation: Reverberation(.cathedral, mix: 0))
    #expect(try EffectSequence(bypassed, format: mono(44_100)).isNeutral)
  }

  @Test func `cutting the stream into blocks changes no bit of the whole chain`() throws {
    let noise = Signal.whiteNoise(frameCount: 2 * 8000, rms: 0.2)
    try expectSameWhereverCut(noise, channelCount: 2) {
      let chain = try EffectSequence(try chain(), format: stereo(44_100))
      return EffectSequence([chain, TruePeakLimiter(format: stereo(44_100))], format: stereo(44_100))
    }
  }

  @Test func `the length is as announced`() throws {
    let noise = Signal.whiteNoise(frameCount: 2 * 8000, rms: 0.2)
    let sequence = try EffectSequence(try chain(), format: stereo(44_100))
    let result = try output(of: sequence, for: noise, channelCount: 2)
    #expect(Int64(result.count / 2) == sequence.outputFrameCount(for: 8000))
  }

  @Test func `the equalizer comes after the rate`() throws {
    // A sine of 1 kHz at double rate is one of 2 kHz, which the low-pass at 1.2 kHz removes; before the rate it would
    // pass.
    let sine = Signal.sine(hz: 1000, sampleRateInHz: 44_100, frameCount: 44_100, amplitude: 0.5)
    let lowPass = try Equalizer(bands: (0..<4).map { _ in try EqualizerBand(.lowPass, frequency: 1200) })
    let result = try output(
      of: try EffectSequence(try EffectChain(equalizer: lowPass, rate: 2), format: mono(44_100)), for: sine)
    #expect((result[8000..<14_000].map { abs($0) }.max() ?? 1) < 0.02)
  }

  private func chain() throws -> EffectChain {
    try EffectChain(
      equalizer: GraphicEqualizer.equalizer(sliders: [3, 2, 1, 0, -1, -2, 0, 1, 2, 3], gain: -2), pitch: 200,
      reverberation: Reverberation(.smallRoom, mix: 20), rate: 1.1)
  }

  @Test(arguments: [Float.greatestFiniteMagnitude, 3e38, -3e38])
  func `huge samples leave finite ones behind them`(peak: Float) throws {
    var samples = Signal.whiteNoise(frameCount: 2 * 20_000, rms: 0.1)
    for index in 4000..<4200 { samples[index] = peak }
    let sequence = EffectSequence(
      [try EffectSequence(try chain(), format: stereo(44_100)), TruePeakLimiter(format: stereo(44_100))],
      format: stereo(44_100))
    let result = try output(of: sequence, for: samples, channelCount: 2)
    #expect(result.allSatisfy { $0.isFinite })
    // Without effects nothing is changed.
    let neutral = EffectSequence([try EffectSequence(.neutral, format: stereo(44_100))], format: stereo(44_100))
    #expect(neutral.isNeutral)
    #expect(try output(of: neutral, for: samples, channelCount: 2) == samples)
  }
}
