import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

// Faults: 142
/// What every built-in preset does to simple signals.
struct BuiltInPresetSoundTests {
  @Test(arguments: Preset.builtIn.map(\.name.text), [44_100, 48_000, 96_000])
  func `the impulse response is as the bands' definitions say, within 0.1 dB`(name: String, rate: Int) throws {
    let equalizer = try preset(name).chain.equalizer
    var impulse = [Float](repeating: 0, count: rate)
    impulse[0] = 1
    let answer = try output(of: EqualizerProcessor(equalizer, format: mono(rate)), for: impulse)
    let frequencies = testFrequencies(sampleRate: Double(rate))
    let found = spectrum(of: answer, at: frequencies, sampleRate: Double(rate))
    for (frequency, found) in zip(frequencies, found) {
      let expected = equalizer.bands.reduce(equalizer.gain) {
        $0 + AnalogPrototype(band: $1, sampleRate: Double(rate)).decibels(at: frequency)
      }
      if expected > -90 { #expect(abs(found - expected) < 0.1, "\(frequency) Hz") }
    }
  }

  @Test(arguments: Preset.builtIn.map(\.name.text), [8000, 44_100, 384_000])
  func `silence stays silent, a square wave stays finite, and both it and DC decay`(name: String, rate: Int) throws {
    let chain = try preset(name).chain
    #expect(chain.equalizer.filters(sampleRate: Double(rate)).allSatisfy { $0.isStable })
    func run(_ samples: [Float]) throws -> [Float] {
      try output(of: try EffectSequence(chain, format: mono(rate)), for: samples)
    }
    let silence = [Float](repeating: 0, count: rate)
    #expect(try run(silence) == silence)
    let square = (0..<rate).map { Float($0 / 97 % 2 == 0 ? 1 : -1) }
    for sound in [square, [Float](repeating: 1, count: rate)] {
      let result = try run(sound + silence)
      #expect(result.allSatisfy { $0.isFinite && abs($0) < 10 })
      #expect(result.suffix(100).allSatisfy { abs($0) < 1e-6 })
    }
  }

  private func preset(_ name: String) throws -> Preset {
    try #require(Preset.builtIn.first { $0.name.text == name })
  }
}
