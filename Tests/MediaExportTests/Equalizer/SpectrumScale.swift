import Foundation

/// The scale of frequencies that the pictures of equalizers have.
enum SpectrumScale {
  /// `0...1` from 20 Hz to 20 kHz.
  static func fraction(_ frequency: Double) -> Double { log10(frequency / 20) / 3 }

  static func log10(_ value: Double) -> Double { Foundation.log10(value) }
}
