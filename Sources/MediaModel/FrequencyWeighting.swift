internal import Glibc

/// How the ear's sensitivity is taken into account when levels are shown.
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
