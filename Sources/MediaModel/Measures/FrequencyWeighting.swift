internal import Glibc

/// How levels account for the sensitivity of the ear.
package enum FrequencyWeighting: String, CaseIterable, Sendable {
  case a
  case none

  /// Gain in dB at a frequency in Hz; A-weighting after IEC 61672-1, 0 dB at 1 kHz.
  package func gainInDB(atHz frequency: Double) -> Double {
    switch self {
    case .none: return 0
    case .a:
      let f2 = frequency * frequency
      let high = 12_194.217 * 12_194.217
      let numerator = high * f2 * f2
      let denominator =
        (f2 + 20.598997 * 20.598997) * ((f2 + 107.65265 * 107.65265) * (f2 + 737.86223 * 737.86223)).squareRoot()
        * (f2 + high)
      return 20 * log10(numerator / denominator) + 2.000
    }
  }
}

/// A level in one byte: steps of 0.5 dB from -120 dB (0, which also stands for everything below) to +7.5 dB (255).
package enum DecibelStep {
  package static let floorInDB: Float = -120
  package static let stepInDB: Float = 0.5

  /// The nearest step; NaN and everything below the floor become 0.
  package static func encode(_ decibels: Float) -> UInt8 {
    let steps = ((decibels - floorInDB) / stepInDB).rounded()
    return steps > 0 ? UInt8(min(steps, 255)) : 0
  }

  package static func decode(_ byte: UInt8) -> Float { floorInDB + Float(byte) * stepInDB }
}
