import Foundation
import MediaModel

/// The magnitude of a band by its definition in the cookbook: that of the analogue filter, at the frequency that the
/// bilinear transform maps. It uses none of the project's coefficients.
struct AnalogPrototype {
  let band: EqualizerBand
  let sampleRate: Double

  func decibels(at frequency: Double) -> Double {
    // s = jΩ.
    let omega = tan(.pi * frequency / sampleRate) / tan(.pi * band.frequency / sampleRate)
    let a = pow(10, band.gain / 40)
    let q = quality
    let root = a.squareRoot()
    let square = -omega * omega
    let (top, bottom): ((Double, Double), (Double, Double)) =
      switch band.shape {
      case .lowPass, .resonantLowPass: ((1, 0), (square + 1, omega / q))
      case .highPass, .resonantHighPass: ((square, 0), (square + 1, omega / q))
      case .bandPass: ((0, omega / q), (square + 1, omega / q))
      case .bandStop: ((square + 1, 0), (square + 1, omega / q))
      case .allPass: ((square + 1, -omega / q), (square + 1, omega / q))
      case .parametric: ((square + 1, omega * a / q), (square + 1, omega / (a * q)))
      case .lowShelf, .resonantLowShelf:
        ((a * (square + a), a * root / q * omega), (a * square + 1, root / q * omega))
      case .highShelf, .resonantHighShelf:
        ((a * (a * square + 1), a * root / q * omega), (square + a, root / q * omega))
      }
    return 10 * log10((top.0 * top.0 + top.1 * top.1) / (bottom.0 * bottom.0 + bottom.1 * bottom.1))
  }

  private var quality: Double {
    switch band.width {
    case .quality(let quality): return quality
    case .octaves(let octaves):
      let omega = 2 * Double.pi * band.frequency / sampleRate
      return 1 / (2 * sinh(log(2) / 2 * octaves * omega / sin(omega)))
    }
  }
}
