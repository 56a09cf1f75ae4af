/// The window of the interpolation filters: I₀(β √(1 − x²)), not scaled (Kaiser 1974).
enum KaiserWindow {
  /// - Parameter place: −1…1 within the window; beyond it the value is that of its ends, 1.
  static func weight(at place: Double, beta: Double) -> Double {
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
