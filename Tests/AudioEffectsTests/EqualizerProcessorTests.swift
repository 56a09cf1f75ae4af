import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct EqualizerProcessorTests {
  @Test(arguments: [1, 2, 3, 6])
  func `cutting the stream into blocks changes no bit`(channelCount: Int) throws {
    let noise = Signal.whiteNoise(frameCount: 3000 * channelCount, rms: 0.2)
    let equalizer = try GraphicEqualizer.equalizer(sliders: [6, 4, 0, -2, 1, 0, 3, -5, 2, 8], gain: -4)
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: channelCount)
    try expectSameWhereverCut(noise, channelCount: channelCount) { EqualizerProcessor(equalizer, format: format) }
  }

  @Test func `cutting changes no bit while the equalizer changes`() throws {
    let noise = Signal.whiteNoise(frameCount: 6000, rms: 0.2)
    let target = try Equalizer(
      bands: [EqualizerBand(.lowPass, frequency: 800), EqualizerBand(.parametric, frequency: 90, gain: 9)], gain: -6)
    func run(_ sizes: [Int]) throws -> [Float] {
      let effect = EqualizerProcessor(try GraphicEqualizer.equalizer(sliders: sliders), format: mono(44_100))
      var result: [Float] = []
      effect.process(noise.span.extracting(0..<1000), into: &result)
      effect.update(target)
      return result + (try output(of: effect, for: Array(noise[1000...]), blockSizes: sizes))
    }
    let whole = try run([5000])
    for sizes in [[1], [7, 64, 1, 1025], [64]] { #expect(try run(sizes) == whole) }
  }

  @Test func `a flat equalizer changes no bit`() throws {
    let noise = Signal.whiteNoise(frameCount: 2000, rms: 0.3)
    #expect(try output(of: EqualizerProcessor(.flat, format: mono(48_000)), for: noise) == noise)
  }

  @Test func `after a change the result is as if the equalizer had always been the new one`() throws {
    let noise = Signal.whiteNoise(frameCount: 88_200, rms: 0.2)
    let target = try Equalizer(
      bands: [
        EqualizerBand(.highShelf, frequency: 4000, gain: -5), EqualizerBand(.parametric, frequency: 300, gain: 7),
      ], gain: 2)
    let moved = EqualizerProcessor(try GraphicEqualizer.equalizer(sliders: sliders), format: mono(44_100))
    moved.update(target)
    let found = try output(of: moved, for: noise)
    let expected = try output(of: EqualizerProcessor(target, format: mono(44_100)), for: noise)
    for frame in 44_100..<88_200 { #expect(abs(found[frame] - expected[frame]) < 1e-6) }
  }

  enum Change: CaseIterable {
    case sweep, gainSweep, bypass, toLowPass, toFlat, fromFlat, globalGain
  }

  // Faults: 140
  @Test(arguments: Change.allCases, [60.0, 1000])
  func `a change makes no click`(change: Change, hz: Double) throws {
    let rate = 44_100
    let sine = Signal.sine(hz: hz, sampleRateInHz: rate, frameCount: 2 * rate, amplitude: 0.25)
    let boost = try Equalizer(bands: [
      EqualizerBand(.lowShelf, frequency: 100, gain: 12), EqualizerBand(.parametric, frequency: 1000, gain: 12),
    ])
    let effect = EqualizerProcessor(change == .fromFlat ? .flat : boost, format: mono(rate))
    var result: [Float] = []
    for block in 0..<200 {
      let part = Double(block) / 199
      switch change {
      case .sweep:
        effect.update(
          try Equalizer(bands: [EqualizerBand(.parametric, frequency: 40 * pow(200, part), gain: 12)]))
      case .gainSweep:
        effect.update(
          try Equalizer(bands: [EqualizerBand(.parametric, frequency: 1000, gain: 12 - 36 * part)]))
      case .bypass where block % 20 == 19: effect.update(block % 40 == 19 ? .flat : boost)
      case .toLowPass where block == 100:
        effect.update(try Equalizer(bands: [EqualizerBand(.lowPass, frequency: 200)]))
      case .toFlat where block == 100: effect.update(.flat)
      case .fromFlat where block == 100: effect.update(boost)
      case .globalGain where block == 100: effect.update(try Equalizer(bands: boost.bands, gain: -40))
      default: break
      }
      let start = block * sine.count / 200
      effect.process(sine.span.extracting(start..<(block + 1) * sine.count / 200), into: &result)
    }
    #expect(result.allSatisfy { $0.isFinite })
    // A click is found by a high-pass that removes the sine: the eighth differences of the sine stay below 1e-5, those
    // of a step of a thousandth of its largest amplitude reach 0.035.
    var differences = result.dropFirst(2000).map(Double.init)
    for _ in 0..<8 { differences = zip(differences.dropFirst(), differences).map { $0 - $1 } }
    #expect((differences.map { abs($0) }.max() ?? 1) < 0.01)
  }

  // Faults: 140
  @Test func `the output decays to silence without subnormal numbers`() throws {
    let equalizer = try Equalizer(bands: [
      EqualizerBand(.parametric, frequency: 20, gain: 12, width: .quality(5)),
      EqualizerBand(.bandStop, frequency: 50), EqualizerBand(.highShelf, frequency: 8000, gain: -6),
    ])
    var samples = Signal.whiteNoise(frameCount: 44_100, rms: 0.5)
    samples += [Float](repeating: 0, count: 44_100 * 40)
    let result = try output(of: EqualizerProcessor(equalizer, format: mono(44_100)), for: samples)
    #expect(!result.contains { $0.isSubnormal })
    #expect(result.suffix(1000).allSatisfy { $0 == 0 })
  }

  // Faults: 137
  @Test(arguments: [8000, 44_100, 384_000], FilterShape.allCases)
  func `every type at the limits of its ranges stays finite and decays`(rate: Int, shape: FilterShape) throws {
    for frequency in [EqualizerBand.frequencies.lowerBound, 0.25 * Double(rate), EqualizerBand.frequencies.upperBound] {
      for gain in [EqualizerBand.gains.lowerBound, EqualizerBand.gains.upperBound] {
        for width in [FilterWidth.quality(0.1), .quality(100), .octaves(0.05), .octaves(5)] {
          let band = try EqualizerBand(shape, frequency: frequency, gain: gain, width: width)
          var square = (0..<4000).map { Float($0 / 50 % 2 == 0 ? 1 : -1) }
          square += [Float](repeating: 0, count: 4000)
          let result = try output(
            of: EqualizerProcessor(try Equalizer(bands: [band]), format: mono(rate)), for: square)
          #expect(result.allSatisfy { $0.isFinite && abs($0) < 1000 }, "\(band)")
        }
      }
    }
  }

  // Faults: 137
  @Test func `a hundred bands of the largest gain stay below the limiter's ceiling`() throws {
    let bands = try (0..<100).map {
      try EqualizerBand(.parametric, frequency: 50 * pow(1.05, Double($0)), gain: 24, width: .quality(0.1))
    }
    let effect = EffectSequence(
      [
        EqualizerProcessor(try Equalizer(bands: bands, gain: 24), format: mono(8000)),
        TruePeakLimiter(format: mono(8000)),
      ],
      format: mono(8000))
    // Ten minutes.
    let noise = Signal.whiteNoise(frameCount: 8000 * 60, rms: 0.3)
    var loudest: Float = 0
    var result: [Float] = []
    for _ in 0..<10 {
      result.removeAll(keepingCapacity: true)
      try effect.process(noise.span, into: &result)
      let finite = result.allSatisfy { $0.isFinite }
      #expect(finite)
      loudest = max(loudest, result.map { abs($0) }.max() ?? 0)
    }
    #expect(loudest > 0 && loudest <= 0.8913)
  }

  private let sliders = [6.0, 4, 0, -2, 1, 0, 3, -5, 2, 8]
}
