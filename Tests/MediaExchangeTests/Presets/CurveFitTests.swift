import Foundation
import MediaExchange
import MediaModel
import Testing
import TestSupport

@Suite("Curve fit")
struct CurveFitTests {
  @Test(arguments: UInt64(1)...12)
  func `curves of 127 points fit within 1 dB`(seed: UInt64) throws {
    let curve = GainCurve(PresetFiles.made(seed: seed))
    let fit = try CurveFit(curve)
    #expect(fit.deviation.maximum < 1)
    #expect(fit.equalizer.bands.count <= 20)
    // The reported deviation is correct.
    let points = curve.points.filter { (20...20_000).contains($0.frequency) }
    let found = fit.equalizer.response(at: points.map(\.frequency), sampleRate: 48_000)
    let worst = zip(found, points).map { abs($0 - $1.gain) }.max() ?? 0
    #expect(worst <= fit.deviation.maximum + 0.3)
  }

  @Test func `the same curve gives the same bands`() throws {
    let curve = GainCurve(PresetFiles.made(seed: 7))
    #expect(try CurveFit(curve).equalizer == CurveFit(curve).equalizer)
  }

  @Test(arguments: [1, 3, 5, 10]) func `there are never more bands than the limit`(count: Int) throws {
    var limits = CurveFit.Limits()
    limits.maximumBandCount = count
    let fit = try CurveFit(GainCurve(PresetFiles.made(seed: 3)), limits: limits)
    #expect(fit.equalizer.bands.count <= count)
  }

  @Test func `more bands come closer`() throws {
    let errors = try [2, 6, 16].map { count in
      var limits = CurveFit.Limits()
      limits.maximumBandCount = count
      return try CurveFit(GainCurve(PresetFiles.made(seed: 5)), limits: limits).deviation.rootMeanSquare
    }
    #expect(errors[0] > errors[1] && errors[1] > errors[2])
  }

  @Test func `the bands of a simple curve are found`() throws {
    let bands = [
      try EqualizerBand(.resonantLowShelf, frequency: 105, gain: 4.5, width: .quality(0.7)),
      try EqualizerBand(.parametric, frequency: 600, gain: -5, width: .quality(1.4)),
      try EqualizerBand(.parametric, frequency: 3_000, gain: 6, width: .quality(3)),
    ]
    let equalizer = try Equalizer(bands: bands, gain: -6)
    let frequencies = (0...400).map { 20 * pow(1_000, Double($0) / 400) }
    let response = equalizer.response(at: frequencies, sampleRate: 48_000)
    let fit = try CurveFit(GainCurve(zip(frequencies, response).map { .init(frequency: $0, gain: $1) }))
    #expect(fit.deviation.maximum < 0.3)
    #expect(fit.equalizer.bands.count <= 5)
  }

  @Test func `a flat curve becomes a gain without bands`() throws {
    let fit = try CurveFit(GainCurve([.init(frequency: 100, gain: -7.5)]))
    #expect(fit.equalizer == (try Equalizer(bands: [], gain: -7.5)))
    #expect(fit.deviation.maximum < 1e-9)
  }

  @Test func `fits of noise and of steep steps end`() throws {
    var random = RepeatableRandom(seed: 9)
    let many = (0..<20_000).map {
      GainCurve.Point(frequency: 20 + Double($0), gain: .random(in: -3...3, using: &random))
    }
    #expect(try CurveFit(GainCurve(many)).equalizer.bands.count <= 20)
    let cliffs = (1...40).map { GainCurve.Point(frequency: Double($0) * 450, gain: $0.isMultiple(of: 2) ? 24 : -96) }
    #expect(try CurveFit(GainCurve(cliffs)).deviation.maximum.isFinite)
  }

  @Test func `a curve is linear over the logarithm of the frequency`() {
    let curve = GainCurve([
      .init(frequency: 400, gain: 6), .init(frequency: 100, gain: 2), .init(frequency: 400, gain: 4),
    ])
    #expect(curve.gain(at: 20) == 2 && curve.gain(at: 9_000) == 4)
    #expect(abs(curve.gain(at: 200) - 3) < 1e-12)
    let extreme = GainCurve([.init(frequency: .leastNonzeroMagnitude, gain: 2), .init(frequency: 1e308, gain: 4)])
    #expect((2...4).contains(extreme.gain(at: 1_000)))
  }
}
