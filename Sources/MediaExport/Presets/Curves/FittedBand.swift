internal import Glibc
internal import MediaModel

/// A peak or shelf while it is being fitted; frequency and Q as logarithms, because errors there are ratios.
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
