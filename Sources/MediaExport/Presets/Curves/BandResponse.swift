internal import MediaModel

#if canImport(Glibc)
  internal import Glibc
#endif

/// The response of filters on a fixed set of frequencies, for fitting: what does not depend on the filter is computed once.
struct BandResponse {
  let frequencies: [Double]
  let sampleRate: Double
  /// sin²(ω/2) of each frequency.
  private let phases: [Double]

  init(frequencies: [Double], sampleRate: Double) {
    self.frequencies = frequencies
    self.sampleRate = sampleRate
    phases = frequencies.map { frequency in
      let half = sin(.pi * min(frequency / sampleRate, 0.5))
      return half * half
    }
  }

  /// Writes the decibels of `band` at each frequency into `values` from `start` on.
  func write(_ band: FittedBand, into values: inout [Double], from start: Int = 0) {
    let filter = band.coefficients(sampleRate: sampleRate)
    let numerator = Self.polynomial(filter.b0, filter.b1, filter.b2)
    let denominator = Self.polynomial(1, filter.a1, filter.a2)
    for (index, phase) in phases.enumerated() {
      let above = numerator.0 + phase * (numerator.1 + phase * numerator.2)
      let below = denominator.0 + phase * (denominator.1 + phase * denominator.2)
      values[start + index] = 10 * log10(max(above, 1e-30) / max(below, 1e-30))
    }
  }

  /// |c0 + c1 z⁻¹ + c2 z⁻²|² as a polynomial of sin²(ω/2).
  private static func polynomial(_ c0: Double, _ c1: Double, _ c2: Double) -> (Double, Double, Double) {
    let sum = c0 + c1 + c2
    return (sum * sum, -4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2), 16 * c0 * c2)
  }
}
