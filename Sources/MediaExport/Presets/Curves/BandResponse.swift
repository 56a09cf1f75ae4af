internal import Glibc
internal import MediaModel

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

  /// All `bands` together at each frequency, in decibels.
  func decibels(_ bands: [FittedBand]) -> [Double] {
    var powers = [Double](repeating: 1, count: phases.count)
    for power in bands.map(response) {
      for (index, phase) in phases.enumerated() { powers[index] *= power.above(phase) / power.below(phase) }
    }
    return powers.map { 10 * log10(max($0, .leastNormalMagnitude)) }
  }

  /// How many decibels each frequency gains with one unit of a band's `parameter`.
  ///
  /// The logarithm is derived by rule and the filter's coefficients by central differences: no point needs a logarithm.
  func slopes(of band: FittedBand, by parameter: WritableKeyPath<FittedBand, Double>) -> [Double] {
    let step = 1e-4
    var (lower, upper) = (band, band)
    lower[keyPath: parameter] -= step
    upper[keyPath: parameter] += step
    let (power, lowerPower, upperPower) = (response(band), response(lower), response(upper))
    let numerator = (upperPower.numerator - lowerPower.numerator) / (2 * step)
    let denominator = (upperPower.denominator - lowerPower.denominator) / (2 * step)
    let scale = 10 / log(10.0)
    return phases.map { phase in
      let (above, below) = (power.above(phase), power.below(phase))
      let rise = numerator.polynomial(phase) * below - denominator.polynomial(phase) * above
      return scale * rise / (above * below)
    }
  }

  private func response(_ band: FittedBand) -> PowerResponse {
    PowerResponse(band.coefficients(sampleRate: sampleRate))
  }
}

/// The squared magnitude of a band's response: a fraction of two polynomials of sin²(ω/2), given by their coefficients.
private struct PowerResponse {
  let numerator: SIMD3<Double>
  let denominator: SIMD3<Double>

  init(_ filter: BiquadCoefficients) {
    numerator = Self.square(filter.b0, filter.b1, filter.b2)
    denominator = Self.square(1, filter.a1, filter.a2)
  }

  func above(_ phase: Double) -> Double { max(numerator.polynomial(phase), 1e-30) }
  func below(_ phase: Double) -> Double { max(denominator.polynomial(phase), 1e-30) }

  /// |c0 + c1 z⁻¹ + c2 z⁻²|².
  private static func square(_ c0: Double, _ c1: Double, _ c2: Double) -> SIMD3<Double> {
    let sum = c0 + c1 + c2
    return [sum * sum, -4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2), 16 * c0 * c2]
  }
}

extension SIMD3<Double> {
  /// The value of the polynomial with these coefficients, by rising power.
  fileprivate func polynomial(_ x: Double) -> Double { self.x + x * (y + x * z) }
}
