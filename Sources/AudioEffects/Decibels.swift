internal import Glibc

/// Decibels and factors of amplitude.
enum Decibels {
  /// Exactly 1 for 0 dB.
  static func amplitude(_ decibels: Double) -> Double { decibels == 0 ? 1 : pow(10, decibels / 20) }
}
