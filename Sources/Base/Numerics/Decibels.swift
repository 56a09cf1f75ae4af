internal import Glibc

/// Converts between decibels and ratios.
package enum Decibels {
  /// The ratio of two amplitudes; exactly 1 for 0 dB.
  package static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The ratio of two powers; exactly 1 for 0 dB.
  package static func power(_ decibels: Double) -> Double { pow(10, decibels / 10) }

  /// The level of an amplitude relative to 1; minus infinity for 0.
  package static func level(ofAmplitude amplitude: Double) -> Double { 20 * log10(amplitude) }

  /// The level of a power relative to 1; minus infinity for 0.
  package static func level(ofPower power: Double) -> Double { 10 * log10(power) }
}
