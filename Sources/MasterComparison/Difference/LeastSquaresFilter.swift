internal import Glibc
internal import SignalProcessing

/// The filter of one signal that comes nearest to another one, and the single gain that does, both by least squares.
///
/// 1,025 taps around the sample itself, found from correlations of what was consumed: the normal equations are a Toeplitz matrix,
/// solved by Levinson's recursion. The filter is sought as a difference from the single gain, so that signals which differ by
/// nothing else lose nothing by the small constant that keeps the equations solvable.
final class LeastSquaresFilter {
  /// Taps before and after the sample itself.
  static let reach = 512
  static let tapCount = 2 * reach + 1
  private static let size = 8_192
  /// Frames of a block; ``margin`` more are read before and after it.
  static let blockLength = 6_144
  static let margin = (size - blockLength) / 2
  /// What is added to the power of the signal in the equations: noise of -75 dB, and more if they have no other solution.
  static let regularizations = [3e-8, 1e-6, 1e-4]

  private let transform = PairTransform(size: LeastSquaresFilter.size)
  private let whole = PairSpectrum(size: LeastSquaresFilter.size)
  private let middle = PairSpectrum(size: LeastSquaresFilter.size)
  private let other = PairSpectrum(size: LeastSquaresFilter.size)
  private var own = [SIMD2<Double>](repeating: .zero, count: LeastSquaresFilter.size / 2 + 1)
  private var cross = [SIMD2<Double>](repeating: .zero, count: LeastSquaresFilter.size / 2 + 1)
  private var rests = [SIMD2<Double>](repeating: .zero, count: LeastSquaresFilter.size / 2 + 1)

  /// Adds a block of an excerpt.
  ///
  /// - Parameters:
  ///   - wide: Of the signal to be filtered: ``blockLength`` frames, and ``margin`` more before and after them.
  ///   - target: The block of the other one.
  ///   - weights: Of the frames of `wide`; 0 outside of the excerpt. Both signals are multiplied by them, so that the equations
  ///     are those of two sounds that begin and end softly.
  func consume(_ wide: SignalPair, _ target: SignalPair, weights: [Float]) {
    load(wide, target, weights)
    middle.load(wide, from: Self.margin, count: Self.blockLength, at: Self.margin)
    weight(middle, weights)
    transform.forward(middle)
    for bin in own.indices {
      own[bin] += Self.sum(whole, middle, bin)
      cross[bin] += Self.sum(other, whole, bin)
    }
  }

  /// Adds what a solution leaves of a block, for ``refined(_:regularization:)``.
  func consume(_ wide: SignalPair, rest: SignalPair, weights: [Float]) {
    load(wide, rest, weights)
    for bin in rests.indices { rests[bin] += Self.sum(other, whole, bin) }
  }

  private func load(_ wide: SignalPair, _ target: SignalPair, _ weights: [Float]) {
    whole.load(wide, count: Self.size)
    other.load(target, count: Self.blockLength, at: Self.margin)
    for spectrum in [whole, other] {
      weight(spectrum, weights)
      transform.forward(spectrum)
    }
  }

  private func weight(_ spectrum: PairSpectrum, _ weights: [Float]) {
    for index in 0..<Self.size {
      spectrum.real.pointer[index] *= weights[index]
      spectrum.imaginary.pointer[index] *= weights[index]
    }
  }

  /// The cross-spectrum of both channels together, twice: from the spectra of pairs as complex signals, and their mirror images.
  private static func sum(_ one: PairSpectrum, _ two: PairSpectrum, _ bin: Int) -> SIMD2<Double> {
    let product = one.product(bin, withConjugateOf: two)
    let mirrored = one.product((size - bin) % size, withConjugateOf: two)
    return SIMD2<Double>(SIMD2(product.x + mirrored.x, product.y - mirrored.y))
  }

  struct Solution {
    var gain: Double
    /// ``tapCount`` taps; the one in the middle is of the sample itself.
    var taps: [Double]

    /// Of equal signals.
    static let unchanged = Solution(gain: 1, taps: BlockFilter.taps(gain: 1, shift: 0))
  }

  /// nil if the signal to be filtered is silent.
  func solution(regularization: Double) -> Solution? {
    let (own, cross) = correlations
    guard own[Self.reach] > 0 else { return nil }
    let gain = cross[Self.reach] / own[Self.reach]
    // The correlation of the signal with itself over the same frames, which is not quite the same in both directions.
    let rest = cross.indices.map { cross[$0] - gain * own[Self.tapCount - 1 - $0] }
    var taps = Self.solve(matrix(regularization), rest)
    taps[Self.reach] += gain
    return Solution(gain: gain, taps: taps)
  }

  /// Forgets what was left of another solution.
  func clearRests() { rests = rests.map { _ in .zero } }

  /// A solution, corrected by the filter of what it leaves.
  func refined(_ solution: Solution, regularization: Double) -> Solution {
    var solution = solution
    let correction = Self.solve(
      matrix(regularization), (0..<Self.tapCount).map { Self.correlation(rests, $0 - Self.reach) })
    for tap in correction.indices { solution.taps[tap] += correction[tap] }
    return solution
  }

  /// The first row of the equations.
  private func matrix(_ regularization: Double) -> [Double] {
    let own = correlations.own
    var row = (0...Self.reach).map { (own[Self.reach + $0] + own[Self.reach - $0]) / 2 }
    row += (Self.reach + 1..<Self.tapCount).map { Self.correlation(self.own, $0) }
    row[0] *= 1 + regularization
    return row
  }

  /// Of the signal with itself, and of the other one with it, for lags from `-reach` to `reach`.
  private lazy var correlations: (own: [Double], cross: [Double]) = (
    (0..<Self.tapCount).map { Self.correlation(own, $0 - Self.reach) },
    (0..<Self.tapCount).map { Self.correlation(cross, $0 - Self.reach) }
  )

  /// The gain of least squares of the signal after taps.
  func gain(along taps: [Double]) -> Double {
    let (own, cross) = correlations
    let used = taps.indices.filter { taps[$0] != 0 }
    var (products, power) = (0.0, 0.0)
    for one in used {
      products += taps[one] * cross[one]
      for two in used { power += taps[one] * taps[two] * own[Self.reach + abs(one - two)] }
    }
    return power > 0 ? products / power : 0
  }

  /// The inverse transform at one lag, of spectra that belong to real signals.
  private static func correlation(_ spectrum: [SIMD2<Double>], _ lag: Int) -> Double {
    let (cosines, sines) = (cosines, sines)
    var sum = spectrum[0].x + spectrum[size / 2].x * (lag.isMultiple(of: 2) ? 1 : -1)
    for bin in 1..<size / 2 {
      let place = (bin * lag) & (size - 1)
      sum += 2 * (spectrum[bin].x * cosines[place] - spectrum[bin].y * sines[place])
    }
    return sum
  }

  private static let cosines = (0..<size).map { cos(2 * .pi * Double($0) / Double(size)) }
  private static let sines = (0..<size).map { sin(2 * .pi * Double($0) / Double(size)) }

  /// Solves the equations of a symmetric Toeplitz matrix.
  ///
  /// Source: Levinson, "The Wiener RMS error criterion in filter design and prediction", 1946.
  ///
  /// - Parameters:
  ///   - row: The first row of the matrix; its first number is not 0.
  static func solve(_ row: [Double], _ right: [Double]) -> [Double] {
    let count = row.count
    var solution = [right[0] / row[0]]
    var forward = [1.0]
    var error = row[0]
    for size in 1..<count {
      var sum = 0.0
      for index in 0..<size { sum += forward[index] * row[size - index] }
      let reflection = -sum / error
      var next = forward + [0]
      for index in 0...size { next[index] += reflection * (index == 0 ? 0 : forward[size - index]) }
      forward = next
      error *= 1 - reflection * reflection
      guard error > 0, error.isFinite else { return solution + [Double](repeating: 0, count: count - size) }
      var lacking = right[size]
      for index in 0..<size { lacking -= solution[index] * row[size - index] }
      let factor = lacking / error
      solution.append(0)
      for index in 0...size { solution[index] += factor * forward[size - index] }
    }
    return solution
  }
}
