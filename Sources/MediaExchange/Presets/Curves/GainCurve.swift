internal import Glibc
internal import MediaModel

/// Gain over frequency, given by points: linear in decibels over the logarithm of the frequency between them, constant
/// beyond the ends.
package struct GainCurve: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    /// In hertz, positive.
    package var frequency: Double
    /// In decibels.
    package var gain: Double

    package init(frequency: Double, gain: Double) {
      self.frequency = frequency
      self.gain = gain
    }
  }

  /// In ascending order, each frequency once.
  package let points: [Point]

  /// Accepts points in any order. Of several at one frequency the last counts; points that are not finite or whose
  /// frequency is not positive are left out.
  package init(_ points: [Point]) {
    let usable = points.enumerated().filter {
      $0.element.frequency.isFinite && $0.element.frequency > 0 && $0.element.gain.isFinite
    }
    var sorted: [Point] = []
    for (_, point) in usable.sorted(by: { ($0.element.frequency, $0.offset) < ($1.element.frequency, $1.offset) }) {
      if sorted.last?.frequency == point.frequency { sorted.removeLast() }
      sorted.append(point)
    }
    self.points = sorted
  }

  /// The response of an equalizer at `frequencies`.
  init(of equalizer: Equalizer, at frequencies: [Double], channel: Int, sampleRate: Double) {
    let gains = equalizer.response(at: frequencies, sampleRate: sampleRate, channel: channel)
    points = zip(frequencies, gains).map { Point(frequency: $0, gain: $1) }
  }

  /// The gain in decibels at `frequency` hertz; 0 if the curve has no points.
  ///
  /// - Complexity: O(log *n*)
  package func gain(at frequency: Double) -> Double {
    guard let first = points.first, let last = points.last else { return 0 }
    if frequency <= first.frequency { return first.gain }
    if frequency >= last.frequency { return last.gain }
    var low = 0
    var high = points.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].frequency <= frequency { low = middle } else { high = middle }
    }
    let (left, right) = (points[low], points[high])
    // Logarithms are taken first: the ratio of extreme frequencies may overflow.
    let start = log2(left.frequency)
    let part = (log2(frequency) - start) / (log2(right.frequency) - start)
    return left.gain + (right.gain - left.gain) * part
  }
}

/// Frequencies at equal logarithmic steps.
enum FrequencyGrid {
  /// 20 Hz to 20 kHz with 48 points per octave, for comparing curves.
  static let audible = points(from: 20, to: 20_000, perOctave: 48)

  /// Both ends included.
  static func points(from low: Double, to high: Double, perOctave: Int) -> [Double] {
    let octaves = log2(high / low)
    let count = max(1, Int((octaves * Double(perOctave)).rounded(.up)))
    return (0...count).map { low * exp2(octaves * Double($0) / Double(count)) }
  }
}
