internal import Glibc

/// The parts of an interpolation filter: a sinc with a Kaiser window.
package enum WindowedSinc {
  /// sin x / x, which is 1 at 0; `angle` in radians.
  package static func sinc(_ angle: Double) -> Double { angle == 0 ? 1 : sin(angle) / angle }

  /// The Kaiser window before scaling, I₀(β √(1 − x²)): divide by the value at 0 for a peak of 1.
  ///
  /// Source: Kaiser, "Nonrecursive digital filter design using the I₀-sinh window function", 1974.
  ///
  /// - Parameter place: x, `-1...1` within the window; outside, the result is that at the ends, 1.
  package static func kaiserWeight(at place: Double, beta: Double) -> Double {
    bessel(beta * max(0, 1 - place * place).squareRoot())
  }

  /// The modified Bessel function of the first kind and order 0, by its power series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    var index = 1.0
    while term > 1e-18 * sum {
      term *= (x / (2 * index)) * (x / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }
}
