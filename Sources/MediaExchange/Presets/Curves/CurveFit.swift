internal import Glibc
package import MediaModel

/// Approximates a curve by peaks and shelves.
///
/// Bands are added one by one where the remaining error is most prominent. After each, all bands are refined together
/// with the Levenberg–Marquardt method over frequency, gain and Q; at the end large errors get more weight. The result
/// is deterministic.
package struct CurveFit: Sendable {
  /// The limits for the bands.
  package struct Limits: Hashable, Sendable {
    /// Peaks and shelves together.
    package var maximumBandCount = 20
    package var maximumPeakCount = Int.max
    /// In decibels; no more bands are added once the largest error is below this.
    package var tolerance = 0.25
    package var allowsShelves = true
    package var frequencies = 20.0...20_000.0
    package var gains = -36.0...24.0
    package var qualities = 0.1...12.0
    /// For the global gain; if the range is a single value, the gain is fixed.
    package var globalGains = EqualizerBand.gains

    package init() {}
  }

  /// The sample rate of the filters, in hertz. Near half of it, filters for other rates have a different response.
  package static let sampleRate = 48_000.0
  /// A shelf with a higher Q would overshoot.
  static let shelfQualities = 0.25...1.0

  package let equalizer: Equalizer
  package let deviation: CurveDeviation

  /// - Throws: `PresetError` if the limits exceed the ranges of an equalizer.
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

/// The search of a ``CurveFit``: adds and refines bands until the curve is close enough.
struct CurveFitting {
  /// In hertz. Outside this range the curve has little weight, just enough to keep the outer bands stable.
  private static let audible = 20.0...20_000.0

  let limits: CurveFit.Limits
  private(set) var bands: [FittedBand] = []
  /// The global gain in decibels.
  private(set) var gain: Double

  private let response: BandResponse
  private let target: [Double]
  /// The weight of each point before large errors get more.
  private let importance: [Double]
  private let isAudible: [Bool]

  init(_ curve: GainCurve, limits: CurveFit.Limits) {
    self.limits = limits
    let grid = FrequencyGrid.points(from: 12, to: 22_000, perOctave: 32)
    response = BandResponse(frequencies: grid, sampleRate: CurveFit.sampleRate)
    target = grid.map { curve.gain(at: $0) }
    isAudible = grid.map { Self.audible.contains($0) }
    importance = isAudible.map { $0 ? 1 : 0.05 }
    let middle = target.sorted()[target.count / 2]
    gain = min(max(middle, limits.globalGains.lowerBound), limits.globalGains.upperBound)
  }

  mutating func run() {
    improve(count: 2, weights: importance)
    while bands.count < limits.maximumBandCount, largestError > limits.tolerance, let band = nextBand() {
      bands.append(band)
      improve(count: 12, weights: importance)
    }
    improve(count: 40, weights: importance)
    flatten()
  }

  /// In decibels, within the audible range.
  private var largestError: Double {
    zip(errors(), isAudible).reduce(0) { $1.1 ? max($0, abs($1.0)) : $0 }
  }

  /// Curve minus response.
  private func errors() -> [Double] {
    zip(target, response.decibels(bands)).map { $0 - gain - $1 }
  }

  /// Repeatedly gives large errors more weight, and keeps the bands whose largest error is smallest.
  private mutating func flatten() {
    var best = (error: largestError, bands: bands, gain: gain)
    var weights = importance
    for _ in 0..<8 {
      guard best.error > limits.tolerance else { break }
      let rest = errors()
      let peak = max(largestError, 1e-9)
      for index in weights.indices {
        weights[index] *= 0.5 + 1.5 * min(1, abs(rest[index]) / peak)
      }
      improve(count: 8, weights: weights)
      let error = largestError
      if error < best.error { best = (error, bands, gain) }
    }
    (bands, gain) = (best.bands, best.gain)
  }

  private mutating func improve(count: Int, weights: [Double]) {
    var step = CurveFitStep(response: response, target: target, weights: weights, limits: limits)
    step.improve(&bands, gain: &gain, count: count)
  }

  /// A band for the most prominent peak or dip of the remaining error, with its height and width.
  private func nextBand() -> FittedBand? {
    let rest = errors()
    let frequencies = response.frequencies
    var best: (score: Double, peak: Int, low: Int, high: Int)?
    var start = 0
    while start < rest.count {
      var end = start
      while end + 1 < rest.count, (rest[end + 1] >= 0) == (rest[start] >= 0) { end += 1 }
      let candidates = (start...end).filter { isAudible[$0] }
      if let peak = candidates.max(by: { abs(rest[$0]) < abs(rest[$1]) }) {
        let half = abs(rest[peak]) / 2
        var low = peak
        while low > start, abs(rest[low - 1]) > half { low -= 1 }
        var high = peak
        while high < end, abs(rest[high + 1]) > half { high += 1 }
        let octaves = log2(frequencies[high] / frequencies[low]) + 1.0 / 32
        let score = abs(rest[peak]) * octaves.squareRoot()
        if score > best?.score ?? 0 { best = (score, peak, low, high) }
      }
      start = end + 1
    }
    guard let best else { return nil }
    let height = min(max(rest[best.peak], limits.gains.lowerBound), limits.gains.upperBound)
    if limits.allowsShelves, best.low == 0, !bands.contains(where: { $0.kind == .lowShelf }) {
      return bounded(.lowShelf, frequencies[best.high], height, 0.7)
    }
    if limits.allowsShelves, best.high == rest.count - 1, !bands.contains(where: { $0.kind == .highShelf }) {
      return bounded(.highShelf, frequencies[best.low], height, 0.7)
    }
    guard bands.count(where: { $0.kind == .peak }) < limits.maximumPeakCount else { return nil }
    let octaves = max(log2(frequencies[best.high] / frequencies[best.low]), 1.0 / 16)
    return bounded(.peak, frequencies[best.peak], height, FilterWidth.octaves(octaves).quality)
  }

  private func bounded(_ kind: FittedBand.Kind, _ frequency: Double, _ gain: Double, _ quality: Double) -> FittedBand {
    var band = FittedBand(kind, frequency: frequency, gain: gain, quality: quality)
    band.bound(to: limits)
    return band
  }
}

extension FittedBand {
  /// Clamps the band to the limits.
  mutating func bound(to limits: CurveFit.Limits) {
    func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
      min(max(value, range.lowerBound), range.upperBound)
    }
    pitch = bounded(pitch, log2(limits.frequencies.lowerBound)...log2(limits.frequencies.upperBound))
    gain = bounded(gain, limits.gains)
    let low = max(limits.qualities.lowerBound, kind == .peak ? 0 : CurveFit.shelfQualities.lowerBound)
    let high = min(limits.qualities.upperBound, kind == .peak ? .infinity : CurveFit.shelfQualities.upperBound)
    sharpness = bounded(sharpness, log2(min(low, high))...log2(max(low, high)))
  }
}
