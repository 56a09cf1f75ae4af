import AudioEffects
import Foundation
import MediaModel
import Testing

// Faults: 142
/// Impulse responses compared with the definitions of the filters.
struct EqualizerResponseTests {
  @Test(arguments: FilterShape.allCases, [44_100, 48_000, 96_000])
  func `each type of filter has the response of its definition, within 0.1 dB`(
    shape: FilterShape, rate: Int
  ) throws {
    var bands: [EqualizerBand] = []
    for frequency in [31.25, 1000, 0.3 * Double(rate)] {
      for gain in shape.hasGain ? [-24.0, 12] : [0] {
        for width in shape.hasWidth ? [FilterWidth.quality(0.3), .quality(6), .octaves(1)] : [nil] {
          bands.append(try EqualizerBand(shape, frequency: frequency, gain: gain, width: width))
        }
      }
    }
    for band in bands { try expectResponse(of: [band], rate: rate) }
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func `ten bands in a row have the sum of their defined responses`(rate: Int) throws {
    let sliders = [6.0, -4, 12, -12, 3, 1, -7, 9, 2.5, -3]
    let bands = try zip(GraphicEqualizer.centers, sliders).map {
      try EqualizerBand(.parametric, frequency: $0, gain: $1)
    }
    try expectResponse(of: bands, rate: rate, gain: -3)
  }

  @Test func `a compensated graphic equalizer passes through its sliders`() throws {
    let sliders = [6.0, 6, 3, 1, -2, -1, 4, 4, 2, 5]
    let equalizer = try GraphicEqualizer.equalizer(sliders: sliders, isCompensated: true)
    let answer = try impulseResponse(of: equalizer, rate: 48_000)
    let found = spectrum(of: answer, at: GraphicEqualizer.centers, sampleRate: 48_000)
    for (found, slider) in zip(found, sliders) { #expect(abs(found - slider) < 0.1) }
  }

  @Test func `a band of one channel leaves the other unchanged`() throws {
    let band = try EqualizerBand(.lowPass, frequency: 500, channels: .right)
    let noise = (0..<4000).map { Float(($0 * 7919) % 1000) / 1000 - 0.5 }
    let both = noise.flatMap { [$0, $0] }
    let result = try output(
      of: EqualizerProcessor(try Equalizer(bands: [band]), format: stereo(44_100)), for: both, channelCount: 2)
    #expect(stride(from: 0, to: result.count, by: 2).map { result[$0] } == noise)
    #expect(stride(from: 1, to: result.count, by: 2).map { result[$0] } != noise)
  }

  @Test func `a band above half the sample rate does no more than one at the limit`() throws {
    // 16 kHz at a sample rate of 8 kHz: nothing audible may change.
    let band = try EqualizerBand(.parametric, frequency: 16_000, gain: 24, width: .octaves(1))
    let answer = try impulseResponse(of: try Equalizer(bands: [band]), rate: 8000)
    for decibels in spectrum(of: answer, at: [50, 500, 1000, 2000, 3000], sampleRate: 8000) {
      #expect(abs(decibels) < 0.1)
    }
  }

  private func expectResponse(of bands: [EqualizerBand], rate: Int, gain: Double = 0) throws {
    let answer = try impulseResponse(of: try Equalizer(bands: bands, gain: gain), rate: rate)
    let frequencies = testFrequencies(sampleRate: Double(rate), count: bands.count > 1 ? 120 : 24)
    let found = spectrum(of: answer, at: frequencies, sampleRate: Double(rate))
    for (frequency, found) in zip(frequencies, found) {
      let expected = bands.reduce(gain) {
        $0 + AnalogPrototype(band: $1, sampleRate: Double(rate)).decibels(at: frequency)
      }
      // Below that only the rounding of the impulse response to floats is left.
      guard expected > -90 else { continue }
      #expect(abs(found - expected) < 0.1, "\(bands) at \(frequency) Hz")
    }
  }

  private func impulseResponse(of equalizer: Equalizer, rate: Int) throws -> [Float] {
    var impulse = [Float](repeating: 0, count: rate)
    impulse[0] = 1
    return try output(of: EqualizerProcessor(equalizer, format: mono(rate)), for: impulse)
  }
}
