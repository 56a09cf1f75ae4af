internal import Glibc
package import MediaModel

/// Finds the beats of a recording from its onsets: the moments, about a beat apart, that have the most onsets together.
///
/// Dynamic programming gives the best sequence over the whole recording; it follows a tempo that drifts. Then each beat is moved
/// to the line through its neighbours, because the beats of a steady rhythm are known better together than each by itself.
/// Beats before the first and after the last onsets are left out. Bursts over silence are found 8 ms early, notes of a synthesizer
/// 16 ms late.
///
/// Source: D. Ellis, Beat Tracking by Dynamic Programming (2007).
///
/// - Complexity: O(n) for n columns, some 40 steps each.
package struct BeatTracker {
  /// What a distance other than the period costs, as a multiple of the square of the logarithm of their ratio. Ten times as much as in
  /// the source, because the tempo is known better.
  private static let tightness: Float = 1_000
  /// The line through a beat is that of as many beats to each side.
  private static let neighbourCount = 8
  /// A beat that is further from the line stays where it is.
  private static let mostMoved = 1.0
  /// Onsets at a beat that are weaker, as a share of the root of the mean square of all, end the sequence.
  private static let leastShareAtEnds: Float = 0.5

  private let columnsPerSecond: Double
  private let strengths: [Float]

  package init(_ rhythm: RhythmSummary) {
    columnsPerSecond = rhythm.columnsPerSecond
    // Low onsets count for the tempo, but a bass between the beats would draw the beats to it.
    strengths = OnsetStrengths.flattened(rhythm.onsets.map { Float($0) }, columnsPerSecond: columnsPerSecond)
  }

  /// The beats in seconds, ascending; empty if there are no onsets.
  ///
  /// - Parameter beatsPerMinute: The tempo, which the recording may leave by some percent.
  package func beats(atBeatsPerMinute beatsPerMinute: Double) -> [Double] {
    let period = 60 * columnsPerSecond / beatsPerMinute
    guard period >= 2, period < Double(strengths.count) else { return [] }
    let columns = audible(sequence(period: period))
    return smoothed(columns.map(exact)).map { max(0, $0 / columnsPerSecond) }
  }

  /// The columns of the best sequence.
  private func sequence(period: Double) -> [Int] {
    let meanSquare = strengths.reduce(0) { $0 + $1 * $1 } / Float(max(strengths.count, 1))
    guard meanSquare > 0 else { return [] }
    let scale = 1 / meanSquare.squareRoot()
    let distances = max(1, Int(period / 2))...Int((2 * period).rounded(.up))
    let costs = distances.map { distance in
      let ratio = Float(log(Double(distance) / period))
      return Self.tightness * ratio * ratio
    }
    var scores = [Float](repeating: 0, count: strengths.count)
    var previous = [Int32](repeating: -1, count: strengths.count)
    for column in strengths.indices {
      var best: Float = 0
      for (place, distance) in distances.enumerated() where distance <= column {
        let score = scores[column - distance] - costs[place]
        if score > best {
          best = score
          previous[column] = Int32(column - distance)
        }
      }
      scores[column] = strengths[column] * scale + best
    }
    let last = max(0, strengths.count - Int(period.rounded(.up)))..<strengths.count
    var columns: [Int] = []
    var next = last.max { scores[$0] < scores[$1] } ?? -1
    while next >= 0 {
      columns.append(next)
      next = Int(previous[next])
    }
    return columns.reversed()
  }

  private func strength(near column: Int) -> Float {
    strengths[max(0, column - 1)...min(column + 1, strengths.count - 1)].max() ?? 0
  }

  /// Without those at the ends where nothing sounds.
  private func audible(_ columns: [Int]) -> ArraySlice<Int> {
    let values = columns.map(strength)
    let meanSquare = values.reduce(0) { $0 + $1 * $1 } / Float(max(values.count, 1))
    let least = Self.leastShareAtEnds * meanSquare.squareRoot()
    guard let first = values.firstIndex(where: { $0 >= least }), let last = values.lastIndex(where: { $0 >= least })
    else { return [] }
    return columns[first...last]
  }

  /// The maximum of the parabola through the strengths around a column.
  private func exact(_ column: Int) -> Double {
    guard column > 0, column + 1 < strengths.count else { return Double(column) }
    let (a, b, c) = (strengths[column - 1], strengths[column], strengths[column + 1])
    let bend = a - 2 * b + c
    guard bend < 0 else { return Double(column) }
    return Double(column) + Double(max(-1, min((a - c) / (2 * bend), 1)))
  }

  private func smoothed(_ places: [Double]) -> [Double] {
    places.indices.map { index in
      let near = max(0, index - Self.neighbourCount)...min(index + Self.neighbourCount, places.count - 1)
      guard near.count > 2 else { return places[index] }
      let meanIndex = Double(near.lowerBound + near.upperBound) / 2
      let mean = near.reduce(0) { $0 + places[$1] } / Double(near.count)
      let (products, squares) = near.reduce((0, 0)) { sums, other in
        let distance = Double(other) - meanIndex
        return (sums.0 + distance * (places[other] - mean), sums.1 + distance * distance)
      }
      let line = mean + (Double(index) - meanIndex) * products / squares
      return abs(line - places[index]) <= Self.mostMoved ? line : places[index]
    }
  }
}

/// Onsets as tempo and beats are found from them.
enum OnsetStrengths {
  /// What is above the mean of the second around each column.
  static func flattened(_ raw: [Float], columnsPerSecond: Double) -> [Float] {
    let reach = Int((columnsPerSecond / 2).rounded())
    var sums: [Float] = [0]
    sums.reserveCapacity(raw.count + 1)
    for value in raw { sums.append(sums[sums.count - 1] + value) }
    return raw.indices.map { index in
      let (low, high) = (max(0, index - reach), min(raw.count, index + reach + 1))
      return max(0, raw[index] - (sums[high] - sums[low]) / Float(high - low))
    }
  }
}
