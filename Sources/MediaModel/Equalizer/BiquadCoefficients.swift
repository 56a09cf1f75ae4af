internal import Glibc

/// A filter of second order, normalised: `H(z) = (b0 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²)`.
package struct BiquadCoefficients: Hashable, Sendable {
  package var b0: Double
  package var b1: Double
  package var b2: Double
  package var a1: Double
  package var a2: Double

  /// Lets everything through as it is.
  package static let identity = BiquadCoefficients(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

  package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
  }

  /// The square of the magnitude at the angle `omega` (radians a sample, 0…π).
  ///
  /// Written with sin²(ω/2), which keeps its digits where ω is small and the poles lie near the unit circle.
  package func power(at omega: Double) -> Double {
    let half = sin(omega / 2)
    let phi = half * half
    func square(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
      let sum = c0 + c1 + c2
      return sum * sum - 4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2) * phi + 16 * c0 * c2 * phi * phi
    }
    return max(0, square(b0, b1, b2)) / max(square(1, a1, a2), .leastNormalMagnitude)
  }

  /// In decibels, at a frequency of a given rate (both in hertz).
  package func decibels(at frequency: Double, sampleRate: Double) -> Double {
    10 * log10(max(power(at: 2 * .pi * frequency / sampleRate), 1e-30))
  }

  /// Whether both poles lie inside the unit circle.
  package var isStable: Bool { abs(a2) < 1 && abs(a1) < 1 + a2 }
}
