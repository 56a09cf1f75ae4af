internal import Glibc

extension BiquadCoefficients {
  /// No filter is realised nearer to half the rate than this part of the rate.
  package static let highestFrequency = 0.499

  /// How far the bilinear transform may stretch a bandwidth: just below half the rate it knows no bounds, and a band of an
  /// octave would lift the whole spectrum.
  private static let greatestStretch = 4.0

  /// The filter of `band` at `sampleRate` hertz, after R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter
  /// coefficients"; bandwidths in octaves are warped as the bilinear transform asks.
  ///
  /// - Parameter gain: In decibels, instead of the band's own: that of a compensated graphic equalizer.
  package init(_ band: EqualizerBand, sampleRate: Double, gain: Double? = nil) {
    let (omega, alpha) = Self.angles(of: band, sampleRate: sampleRate)
    self.init(
      band.shape, alpha: alpha, cosine: cos(omega), amplitude: pow(10, (gain ?? band.gain) / 40))
  }

  /// Where a band lies at a rate (ω in radians a sample), and how broad it is there (α = sin ω / 2Q).
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
  ///   - amplitude: The root of the linear gain.
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
