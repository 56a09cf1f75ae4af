internal import Glibc
package import MediaModel

/// A curve as the peaks and shelves that come nearest to it.
///
/// Bands are added one by one where the rest is largest, and after each one all of them are improved together by the method of
/// Levenberg and Marquardt on frequency, gain and Q; in the end the largest errors weigh more. The same curve gives the
/// same bands.
package struct CurveFit: Sendable {
  /// What the bands may be.
  package struct Limits: Hashable, Sendable {
    /// Peaks and shelves together.
    package var maximumBandCount = 20
    /// In decibels; no band is added any more once the largest error is below.
    package var tolerance = 0.25
    package var allowsShelves = true
    package var frequencies = 20.0...20_000.0
    package var gains = -36.0...24.0
    package var qualities = 0.1...12.0
    /// Of the gain for all bands; a single value is kept.
    package var globalGains = EqualizerBand.gains

    package init() {}
  }

  /// The rate at which the filters are computed; near half of it they differ from those of other rates.
  package static let sampleRate = 48_000.0
  /// A Q above it would make a shelf overshoot.
  static let shelfQualities = 0.25...1.0

  package let equalizer: Equalizer
  package let deviation: CurveDeviation

  /// - Throws: `PresetError` where the limits allow what an equalizer cannot be.
  package init(_ curve: GainCurve, limits: Limits = Limits(), channels: BandChannels = .all) throws(PresetError) {
    var fit = CurveFitting(curve, limits: limits)
    fit.run()
    var bands: [EqualizerBand] = []
    for band in fit.bands where abs(band.gain) >= 0.05 {
      bands.append(
        try EqualizerBand(
          band.shape, frequency: Self.rounded(exp2(band.pitch), 10), gain: Self.rounded(band.gain, 100),
          width: .quality(Self.rounded(exp2(band.sharpness), 1_000)), channels: channels))
    }
    let gain =
      limits.globalGains.lowerBound == limits.globalGains.upperBound ? fit.gain : Self.rounded(fit.gain, 100)
    equalizer = try Equalizer(bands: bands, gain: gain)
    let grid = FrequencyGrid.audible
    let found = equalizer.response(at: grid, sampleRate: Self.sampleRate, channel: channels == .right ? 1 : 0)
    deviation = CurveDeviation(zip(found, grid).map { $0 - curve.gain(at: $1) }, at: grid)
  }

  private static func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
}
