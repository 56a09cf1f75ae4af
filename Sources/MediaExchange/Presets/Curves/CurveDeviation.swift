internal import Base
internal import Glibc
internal import MediaModel

/// How far two curves differ between 20 Hz and 20 kHz.
package struct CurveDeviation: Hashable, Sendable, CustomStringConvertible {
  /// The largest difference in decibels, not negative.
  package let maximum: Double
  /// Where the largest difference is, in hertz.
  package let frequency: Double
  /// In decibels, over frequencies at equal logarithmic steps.
  package let rootMeanSquare: Double

  package static let none = CurveDeviation(maximum: 0, frequency: 20, rootMeanSquare: 0)

  init(maximum: Double, frequency: Double, rootMeanSquare: Double) {
    self.maximum = maximum
    self.frequency = frequency
    self.rootMeanSquare = rootMeanSquare
  }

  /// - Parameters:
  ///   - differences: In decibels.
  ///   - frequencies: The frequency of each difference.
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

  /// The deviation of two equalizers, for the channel in which they differ more.
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
