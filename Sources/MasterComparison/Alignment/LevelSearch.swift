internal import SignalProcessing

/// Finds where one curve of levels lies in another one.
final class LevelSearch {
  private let curve: LevelCurve
  private let transform: PairTransform
  private let own: PairSpectrum
  private let other: PairSpectrum

  /// - Parameter most: The largest number of points that is looked for.
  init(in curve: LevelCurve, most: Int) {
    self.curve = curve
    var size = 1_024
    while size < curve.values.count + most { size *= 2 }
    transform = PairTransform(size: size)
    own = PairSpectrum(size: size)
    other = PairSpectrum(size: size)
    load(curve, into: own)
  }

  private func load(_ curve: LevelCurve, into target: PairSpectrum) {
    target.clear()
    for (index, value) in curve.values.enumerated() {
      target.real.pointer[index] = value.x
      target.imaginary.pointer[index] = value.y
    }
    transform.forward(target)
  }

  /// The point at which another curve begins, which may be before the first one, and how well both agree there, `-1...1`.
  func best(of curve: LevelCurve) -> (lag: Int, correlation: Double) {
    load(curve, into: other)
    for bin in 0..<transform.size {
      let product = own.product(bin, withConjugateOf: other)
      other.real.pointer[bin] = product.x
      other.imaginary.pointer[bin] = product.y
    }
    transform.inverse(other)
    var best = (lag: 0, value: -Float.infinity)
    for index in 0..<transform.size {
      let lag = index < self.curve.values.count ? index : index - transform.size
      guard lag > -curve.values.count, other.real.pointer[index] > best.value else { continue }
      best = (lag, other.real.pointer[index])
    }
    return (best.lag, self.curve.correlation(with: curve, lag: best.lag))
  }
}
