internal import Glibc
internal import MediaModel

/// The search behind a `CurveFit`: bands are added and improved until the curve is near enough.
struct CurveFitting {
  /// Beyond these the curve counts little, and keeps bands at the ends from running away.
  private static let heard = 20.0...20_000.0

  let limits: CurveFit.Limits
  private(set) var bands: [FittedBand] = []
  /// In decibels, for all bands.
  private(set) var gain: Double

  private let response: BandResponse
  private let target: [Double]
  /// Of each point, before large errors count more.
  private let importance: [Double]
  private let isHeard: [Bool]

  init(_ curve: GainCurve, limits: CurveFit.Limits) {
    self.limits = limits
    let grid = FrequencyGrid.points(from: 12, to: 22_000, perOctave: 32)
    response = BandResponse(frequencies: grid, sampleRate: CurveFit.sampleRate)
    target = grid.map { curve.gain(at: $0) }
    isHeard = grid.map { Self.heard.contains($0) }
    importance = isHeard.map { $0 ? 1 : 0.05 }
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

  /// In decibels, of what is heard.
  private var largestError: Double {
    zip(errors(), isHeard).reduce(0) { $1.1 ? max($0, abs($1.0)) : $0 }
  }

  /// Curve minus bands.
  private func errors() -> [Double] {
    zip(target, response.decibels(bands)).map { $0 - gain - $1 }
  }

  /// Lets the largest errors count more and more, and keeps what has the smallest of them.
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

  /// A band for the rest's most prominent hill or valley, as high and as broad as that is.
  private func nextBand() -> FittedBand? {
    let rest = errors()
    let frequencies = response.frequencies
    var best: (score: Double, peak: Int, low: Int, high: Int)?
    var start = 0
    while start < rest.count {
      var end = start
      while end + 1 < rest.count, (rest[end + 1] >= 0) == (rest[start] >= 0) { end += 1 }
      let candidates = (start...end).filter { isHeard[$0] }
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
  /// Back into what the limits allow.
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
