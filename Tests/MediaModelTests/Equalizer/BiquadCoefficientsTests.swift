import Foundation
import MediaModel
import TestSupport
import Testing

@Suite("Biquad coefficients")
struct BiquadCoefficientsTests {
  struct Case: Sendable {
    let band: @Sendable () throws(PresetError) -> EqualizerBand
    let expected: [Double]
  }

  /// Worked out by hand from the cookbook's formulas, at 48 kHz.
  static let cases: [Case] = [
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.parametric, frequency: 1000, gain: 6, width: .quality(1.41))
      },
      expected: [1.031577910617, -1.919976143598, 0.904965631439, -1.919976143598, 0.936543542056]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.parametric, frequency: 1000, gain: 6, width: .octaves(1)) },
      expected: [1.031577524036, -1.919976913795, 0.904966794863, -1.919976913795, 0.936544318898]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.parametric, frequency: 16000, gain: 6, width: .octaves(1)) },
      expected: [1.363825131961, 0.634442973988, -0.094939183985, 0.634442973988, 0.268885947977]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.lowShelf, frequency: 105, gain: 5) },
      expected: [1.002810815178, -1.983113380570, 0.980552378048, -1.983168046908, 0.983308526888]),
    Case(
      band: { () throws(PresetError) in
        try EqualizerBand(.resonantLowShelf, frequency: 105, gain: 5, width: .quality(0.7))
      },
      expected: [1.002838834067, -1.982945364693, 0.980356322117, -1.983000026399, 0.983140494477]),
    Case(
      band: { () throws(PresetError) in
        try EqualizerBand(.resonantHighShelf, frequency: 10000, gain: -4, width: .quality(0.7))
      },
      expected: [0.766848147863, -0.133567755883, 0.131966266589, -0.435484407607, 0.200731066176]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.lowPass, frequency: 1000) },
      expected: [0.003916126661, 0.007832253321, 0.003916126661, -1.815341082705, 0.831005589347]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.highPass, frequency: 1000) },
      expected: [0.911586668013, -1.823173336026, 0.911586668013, -1.815341082705, 0.831005589347]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.bandPass, frequency: 1000, width: .octaves(1)) },
      expected: [0.044237741488, 0, -0.044237741488, -1.895171159794, 0.911524517024]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.bandStop, frequency: 50, width: .quality(30)) },
      expected: [0.999890929598, -1.999739027197, 0.999890929598, -1.999739027197, 0.999781859196]),
    Case(
      band: { () throws(PresetError) in try EqualizerBand(.allPass, frequency: 1000, width: .quality(1)) },
      expected: [0.877470464624, -1.861408444532, 1, -1.861408444532, 0.877470464624]),
  ]

  @Test(arguments: cases.indices)
  func `The coefficients are the cookbook's`(index: Int) throws {
    let filter = BiquadCoefficients(try Self.cases[index].band(), sampleRate: 48000)
    for (found, expected) in zip([filter.b0, filter.b1, filter.b2, filter.a1, filter.a2], Self.cases[index].expected) {
      #expect(abs(found - expected) < 1e-9)
    }
  }

  @Test(arguments: FilterShape.allCases)
  func `The magnitude is that of the transfer function`(shape: FilterShape) throws {
    let filter = BiquadCoefficients(try EqualizerBand(shape, frequency: 440, gain: -7), sampleRate: 44100)
    for frequency in [5.0, 80, 440, 3000, 21000] {
      let omega = 2 * Double.pi * frequency / 44100
      func square(_ c: (Double, Double, Double)) -> Double {
        let real = c.0 + c.1 * cos(omega) + c.2 * cos(2 * omega)
        let imaginary = c.1 * sin(omega) + c.2 * sin(2 * omega)
        return real * real + imaginary * imaginary
      }
      let expected = square((filter.b0, filter.b1, filter.b2)) / square((1, filter.a1, filter.a2))
      #expect(abs(filter.power(at: omega) - expected) < 1e-7 * max(1, expected))
    }
  }

  @Test(arguments: FilterShape.allCases, [8000.0, 44100, 384_000])
  func `No allowed band is unstable`(shape: FilterShape, rate: Double) throws {
    for frequency in [EqualizerBand.frequencies.lowerBound, 20, 1000, 3999, EqualizerBand.frequencies.upperBound] {
      for gain in [-96.0, 0, 24] {
        for width in [FilterWidth.quality(0.1), .quality(100), .octaves(0.05), .octaves(5)] {
          let band = try EqualizerBand(shape, frequency: frequency, gain: gain, width: width)
          #expect(BiquadCoefficients(band, sampleRate: rate).isStable, "\(band)")
        }
      }
    }
  }
}
