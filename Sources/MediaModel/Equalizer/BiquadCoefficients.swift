internal import Glibc

/// A second-order filter, normalised: `H(z) = (b0 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²)`.
package struct BiquadCoefficients: Hashable, Sendable {
  package var b0: Double
  package var b1: Double
  package var b2: Double
  package var a1: Double
  package var a2: Double

  /// The filter that changes nothing.
  package static let identity = BiquadCoefficients(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

  package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
  }

  /// The squared magnitude at `omega` (radians per sample, 0…π).
  ///
  /// Computed with ``powerPolynomial(_:_:_:)``.
  package func power(at omega: Double) -> Double {
    let half = sin(omega / 2)
    let phi = half * half
    func value(_ polynomial: SIMD3<Double>) -> Double {
      polynomial.x + polynomial.y * phi + polynomial.z * phi * phi
    }
    return max(0, value(Self.powerPolynomial(b0, b1, b2)))
      / max(value(Self.powerPolynomial(1, a1, a2)), .leastNormalMagnitude)
  }

  /// |c0 + c1 z⁻¹ + c2 z⁻²|² on the unit circle as a polynomial in sin²(ω/2): its coefficients, the constant first.
  ///
  /// sin²(ω/2) stays precise if ω is small and the poles are close to the unit circle.
  package static func powerPolynomial(_ c0: Double, _ c1: Double, _ c2: Double) -> SIMD3<Double> {
    let sum = c0 + c1 + c2
    return SIMD3(sum * sum, -4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2), 16 * c0 * c2)
  }

  /// The response in decibels at a frequency, for a sample rate (both in hertz).
  package func decibels(at frequency: Double, sampleRate: Double) -> Double {
    10 * log10(max(power(at: 2 * .pi * frequency / sampleRate), 1e-30))
  }
}

extension BiquadCoefficients {
  /// The highest frequency of a filter, as a fraction of the sample rate.
  package static let highestFrequency = 0.499

  /// How far the bilinear transform may stretch a bandwidth. Close to half the rate it is unbounded, and a band of one
  /// octave would raise the whole spectrum.
  private static let greatestStretch = 4.0

  /// The filter of `band` at `sampleRate` hertz, after R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad
  /// filter coefficients"; bandwidths in octaves are warped for the bilinear transform.
  ///
  /// - Parameter gain: In decibels, instead of the band's own; for a compensated graphic equalizer.
  package init(_ band: EqualizerBand, sampleRate: Double, gain: Double? = nil) {
    let (omega, alpha) = Self.angles(of: band, sampleRate: sampleRate)
    self.init(
      band.shape, alpha: alpha, cosine: cos(omega), amplitude: pow(10, (gain ?? band.gain) / 40))
  }

  /// The position of a band at a sample rate (ω in radians per sample) and its width there (α = sin ω / 2Q).
  package static func angles(of band: EqualizerBand, sampleRate: Double) -> (omega: Double, alpha: Double) {
    let frequency = min(band.frequency, highestFrequency * sampleRate)
    let omega = 2 * Double.pi * frequency / sampleRate
    let sine = sin(omega)
    return switch band.width {
    case .quality(let quality): (omega, sine / (2 * quality))
    case .octaves(let octaves): (omega, sine * sinh(M_LN2 / 2 * octaves * min(omega / sine, greatestStretch)))
    }
  }

  /// - Parameters:
  ///   - alpha: sin ω / 2Q.
  ///   - cosine: cos ω.
  ///   - amplitude: The square root of the linear gain.
  package init(_ shape: FilterShape, alpha: Double, cosine c: Double, amplitude A: Double) {
    let p = A + 1
    let m = A - 1
    let r = 2 * A.squareRoot() * alpha
    let numerator: (Double, Double, Double)
    var denominator = (1 + alpha, -2 * c, 1 - alpha)
    switch shape {
    case .lowPass, .resonantLowPass:
      numerator = ((1 - c) / 2, 1 - c, (1 - c) / 2)
    case .highPass, .resonantHighPass:
      numerator = ((1 + c) / 2, -(1 + c), (1 + c) / 2)
    case .bandPass:
      numerator = (alpha, 0, -alpha)
    case .bandStop:
      numerator = (1, -2 * c, 1)
    case .allPass:
      numerator = (1 - alpha, -2 * c, 1 + alpha)
    case .parametric:
      numerator = (1 + alpha * A, -2 * c, 1 - alpha * A)
      denominator = (1 + alpha / A, -2 * c, 1 - alpha / A)
    case .lowShelf, .resonantLowShelf:
      numerator = (A * (p - m * c + r), 2 * A * (m - p * c), A * (p - m * c - r))
      denominator = (p + m * c + r, -2 * (m + p * c), p + m * c - r)
    case .highShelf, .resonantHighShelf:
      numerator = (A * (p + m * c + r), -2 * A * (m + p * c), A * (p + m * c - r))
      denominator = (p - m * c + r, 2 * (m - p * c), p - m * c - r)
    }
    let a0 = denominator.0
    self.init(
      b0: numerator.0 / a0, b1: numerator.1 / a0, b2: numerator.2 / a0, a1: denominator.1 / a0, a2: denominator.2 / a0)
  }
}
