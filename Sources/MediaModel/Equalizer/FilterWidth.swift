internal import Glibc

/// How broad a band is, as its author said it.
package enum FilterWidth: Hashable, Sendable {
  /// Q of the analogue prototype.
  case quality(Double)
  /// Between the points of half the gain in dB (for passes and stops: −3 dB).
  case octaves(Double)

  /// What a Q may be; beyond AVAudioUnitEQ's octaves, because notches of Q 30 and resonances are in use.
  package static let qualities = 0.1...100.0
  /// AVAudioUnitEQ's range.
  package static let octaveRange = 0.05...5.0

  /// Q of the analogue prototype; for octaves `1/Q = 2 sinh(ln 2 / 2 · B)` (Bristow-Johnson's cookbook).
  package var quality: Double {
    switch self {
    case .quality(let quality): quality
    case .octaves(let octaves): 1 / (2 * sinh(M_LN2 / 2 * octaves))
    }
  }

  /// In octaves; for a Q `B = 2 / ln 2 · asinh(1 / 2Q)`.
  package var octaves: Double {
    switch self {
    case .quality(let quality): 2 / M_LN2 * asinh(1 / (2 * quality))
    case .octaves(let octaves): octaves
    }
  }

  /// The Q of a shelf of slope `slope` (1: as steep as it can be without overshoot), which depends on its gain in dB.
  package static func shelfQuality(slope: Double, gain: Double) -> Double {
    let amplitude = pow(10, gain / 40)
    return 1 / ((amplitude + 1 / amplitude) * (1 / slope - 1) + 2).squareRoot()
  }

  /// The inverse of `shelfQuality(slope:gain:)`.
  package static func shelfSlope(quality: Double, gain: Double) -> Double {
    let amplitude = pow(10, gain / 40)
    return 1 / ((1 / (quality * quality) - 2) / (amplitude + 1 / amplitude) + 1)
  }
}
