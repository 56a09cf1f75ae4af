internal import Glibc

/// Frequencies at equal steps of pitch.
enum FrequencyGrid {
  /// 20 Hz to 20 kHz, 48 points an octave: where curves are compared.
  static let audible = points(from: 20, to: 20_000, perOctave: 48)

  /// Both ends included.
  static func points(from low: Double, to high: Double, perOctave: Int) -> [Double] {
    let octaves = log2(high / low)
    let count = max(1, Int((octaves * Double(perOctave)).rounded(.up)))
    return (0...count).map { low * exp2(octaves * Double($0) / Double(count)) }
  }
}
