internal import Glibc
internal import MediaModel

/// A peak or shelf during a fit, with frequency and Q as logarithms, because ratios of them matter.
struct FittedBand {
  enum Kind { case lowShelf, peak, highShelf }

  let kind: Kind
  /// log₂ of hertz.
  var pitch: Double
  /// In decibels.
  var gain: Double
  /// log₂ of Q.
  var sharpness: Double

  init(_ kind: Kind, frequency: Double, gain: Double, quality: Double) {
    self.kind = kind
    self.gain = gain
    pitch = log2(frequency)
    sharpness = log2(quality)
  }

  var shape: FilterShape {
    switch kind {
    case .lowShelf: .resonantLowShelf
    case .peak: .parametric
    case .highShelf: .resonantHighShelf
    }
  }

  func coefficients(sampleRate: Double) -> BiquadCoefficients {
    let omega = 2 * Double.pi * min(exp2(pitch) / sampleRate, BiquadCoefficients.highestFrequency)
    return BiquadCoefficients(
      shape, alpha: sin(omega) / (2 * exp2(sharpness)), cosine: cos(omega), amplitude: pow(10, gain / 40))
  }
}

/// Computes responses at a fixed set of frequencies for a fit; what does not depend on the filter is computed once.
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

  /// The response of all `bands` together at each frequency, in decibels.
  func decibels(_ bands: [FittedBand]) -> [Double] {
    var powers = [Double](repeating: 1, count: phases.count)
    for power in bands.map(response) {
      for (index, phase) in phases.enumerated() { powers[index] *= power.above(phase) / power.below(phase) }
    }
    return powers.map { 10 * log10(max($0, .leastNormalMagnitude)) }
  }

  /// The derivative of the response in decibels with respect to a band's `parameter`, at each frequency.
  ///
  /// The logarithm is differentiated analytically, the filter coefficients by central differences, so that no point
  /// needs a logarithm.
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

/// The squared magnitude of a band's response: the ratio of two polynomials in sin²(ω/2), given by their coefficients.
private struct PowerResponse {
  let numerator: SIMD3<Double>
  let denominator: SIMD3<Double>

  init(_ filter: BiquadCoefficients) {
    numerator = BiquadCoefficients.powerPolynomial(filter.b0, filter.b1, filter.b2)
    denominator = BiquadCoefficients.powerPolynomial(1, filter.a1, filter.a2)
  }

  func above(_ phase: Double) -> Double { max(numerator.polynomial(phase), 1e-30) }
  func below(_ phase: Double) -> Double { max(denominator.polynomial(phase), 1e-30) }
}

extension SIMD3<Double> {
  /// The value at `x` of the polynomial with these coefficients, the constant first.
  fileprivate func polynomial(_ x: Double) -> Double { self.x + x * (y + x * z) }
}
