internal import Glibc
internal import MediaModel

/// How far one curve is from another between 20 Hz and 20 kHz.
package struct CurveDeviation: Hashable, Sendable, CustomStringConvertible {
  /// In decibels, not negative.
  package let maximum: Double
  /// In hertz, where the largest one is.
  package let frequency: Double
  /// In decibels, over equal steps of pitch.
  package let rootMeanSquare: Double

  package static let none = CurveDeviation(maximum: 0, frequency: 20, rootMeanSquare: 0)

  init(maximum: Double, frequency: Double, rootMeanSquare: Double) {
    self.maximum = maximum
    self.frequency = frequency
    self.rootMeanSquare = rootMeanSquare
  }

  /// - Parameters:
  ///   - differences: In decibels.
  ///   - frequencies: As many.
  init(_ differences: [Double], at frequencies: [Double]) {
    var worst = (size: 0.0, frequency: frequencies.first ?? 20)
    var sum = 0.0
    for (difference, frequency) in zip(differences, frequencies) {
      if abs(difference) > worst.size { worst = (abs(difference), frequency) }
      sum += difference * difference
    }
    self.init(
      maximum: worst.size, frequency: worst.frequency,
      rootMeanSquare: (sum / Double(max(1, differences.count))).squareRoot())
  }

  /// Between two equalizers, of the channel where they differ more.
  init(from old: Equalizer, to new: Equalizer, sampleRate: Double) {
    let channels = [0, 1].map { channel in
      let grid = FrequencyGrid.audible
      let before = old.response(at: grid, sampleRate: sampleRate, channel: channel)
      let after = new.response(at: grid, sampleRate: sampleRate, channel: channel)
      return CurveDeviation(zip(before, after).map { $1 - $0 }, at: grid)
    }
    self = channels[1].maximum > channels[0].maximum ? channels[1] : channels[0]
  }

  package var description: String {
    "at most \(DecimalText.number(maximum, places: 2)) dB off (at \(DecimalText.number(frequency, places: 0)) Hz), "
      + "\(DecimalText.number(rootMeanSquare, places: 2)) dB rms"
  }
}
