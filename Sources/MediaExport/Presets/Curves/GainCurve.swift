internal import Glibc
internal import MediaModel

/// Gain over frequency as points: linear in decibels over the logarithm of the frequency, constant beyond the ends.
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

  /// By rising frequency, each frequency once.
  package let points: [Point]

  /// Takes points in any order; of several at one frequency the last counts, and those that are no numbers or have no positive
  /// frequency are left out.
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

  /// What an equalizer does at `frequencies`.
  init(of equalizer: Equalizer, at frequencies: [Double], channel: Int, sampleRate: Double) {
    let gains = equalizer.response(at: frequencies, sampleRate: sampleRate, channel: channel)
    points = zip(frequencies, gains).map { Point(frequency: $0, gain: $1) }
  }

  /// Decibels at `frequency` hertz; 0 everywhere without points.
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
    // Logarithms one by one: the ratio of extreme frequencies is no number.
    let start = log2(left.frequency)
    let part = (log2(frequency) - start) / (log2(right.frequency) - start)
    return left.gain + (right.gain - left.gain) * part
  }
}
