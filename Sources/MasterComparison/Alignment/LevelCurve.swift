internal import Glibc
package import MediaModel

/// The changes of level of a recording over time, in two bands, by which two recordings are roughly aligned.
package struct LevelCurve {
  /// Levels are compared with their mean over so much time, so that gain and equalization do not count.
  private static let meanInSeconds = 2.0
  private static let mostInDB: Float = 12
  /// What is softer than the loudest moment by more counts as equally soft.
  private static let depthInDB: Float = 60

  package let pointInSeconds: Double
  /// Below and above 4 kHz; each in dB relative to the mean around it.
  fileprivate(set) var values: [SIMD2<Float>]

  /// - Parameter frames: The part of the recording that is meant.
  package init(_ energy: WaveformEnergy, frames: Range<Int>) {
    let point = Double(energy.framesPerPoint) / Double(energy.sampleRateInHz)
    let first = frames.lowerBound / max(energy.framesPerPoint, 1)
    let last = (frames.upperBound + energy.framesPerPoint - 1) / max(energy.framesPerPoint, 1)
    let points = energy.points[(first..<max(first, last)).clamped(to: 0..<energy.points.count)]
    self.init(
      levels: points.map { point in
        func power(_ step: UInt8) -> Float { step == 0 ? 0 : pow(10, DecibelStep.decode(step) / 10) }
        let low = 10 * log10(max(power(point.low) + 4 * power(point.mid), 1e-12))
        return SIMD2(low, DecibelStep.decode(point.high))
      }, pointInSeconds: point)
  }

  /// - Parameter levels: Of each point, in dB.
  init(levels: [SIMD2<Float>], pointInSeconds: Double) {
    self.pointInSeconds = pointInSeconds
    guard !levels.isEmpty else {
      values = []
      return
    }
    let top = levels.reduce(SIMD2(repeating: -200)) { pointwiseMax($0, $1) }
    let heard = levels.map { pointwiseMax($0, top - Self.depthInDB) }
    var sums: [SIMD2<Double>] = [.zero]
    for level in heard { sums.append(sums[sums.count - 1] + SIMD2<Double>(level)) }
    let half = max(1, Int(Self.meanInSeconds / 2 / pointInSeconds))
    values = heard.indices.map { index in
      let (low, high) = (max(0, index - half), min(heard.count, index + half + 1))
      let mean = SIMD2<Float>((sums[high] - sums[low]) / Double(high - low))
      return pointwiseMin(
        pointwiseMax(heard[index] - mean, SIMD2(repeating: -Self.mostInDB)), SIMD2(repeating: Self.mostInDB))
    }
  }

  var durationInSeconds: Double { Double(values.count) * pointInSeconds }

  /// The curve at other points: of the time that passes faster by a factor.
  func resampled(toPointInSeconds point: Double, speed: Double = 1) -> LevelCurve {
    let step = point * speed / pointInSeconds
    let count = Int(Double(values.count) / step)
    var curve = LevelCurve(pointInSeconds: point)
    // The mean of what a new point covers: the integral of the curve, between its ends.
    var sums: [SIMD2<Double>] = [.zero]
    for value in values { sums.append(sums[sums.count - 1] + SIMD2<Double>(value)) }
    func integral(_ place: Double) -> SIMD2<Double> {
      let whole = min(Int(place), values.count - 1)
      return sums[whole] + SIMD2<Double>(values[whole]) * (place - Double(whole))
    }
    curve.values = (0..<count).map { index in
      SIMD2<Float>((integral(Double(index + 1) * step) - integral(Double(index) * step)) / step)
    }
    return curve
  }

  func part(_ range: Range<Int>) -> LevelCurve {
    var curve = LevelCurve(pointInSeconds: pointInSeconds)
    curve.values = Array(values[range.clamped(to: 0..<values.count)])
    return curve
  }

  private init(pointInSeconds: Double) {
    self.pointInSeconds = pointInSeconds
    values = []
  }

  /// How well one place of this curve agrees with another one that begins `lag` points later: the correlation, `-1...1`.
  func correlation(with other: LevelCurve, lag: Int) -> Double {
    let range = max(0, lag)..<max(max(0, lag), min(values.count, other.values.count + lag))
    var (products, own, others) = (0.0, 0.0, 0.0)
    for index in range {
      let (first, second) = (values[index], other.values[index - lag])
      products += Double((first * second).sum())
      own += Double((first * first).sum())
      others += Double((second * second).sum())
    }
    return own > 0 && others > 0 ? products / (own * others).squareRoot() : 0
  }
}
