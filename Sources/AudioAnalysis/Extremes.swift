/// Smallest and largest of a run of numbers.
struct Extremes {
  var low = Float.infinity
  var high = -Float.infinity

  mutating func formUnion(_ other: Extremes) {
    low = min(low, other.low)
    high = max(high, other.high)
  }

  /// - Precondition: the numbers are finite.
  @inline(__always)
  init(of samples: UnsafePointer<Float>, count: Int) {
    var index = 0
    if count >= 8 {
      var lows = samples.vector8(at: 0)
      var highs = lows
      index = 8
      while index + 8 <= count {
        let vector = samples.vector8(at: index)
        lows = lesser(lows, vector)
        highs = greater(highs, vector)
        index += 8
      }
      low = lows.smallestLane
      high = highs.largestLane
    }
    while index < count {
      low = min(low, samples[index])
      high = max(high, samples[index])
      index += 1
    }
  }

  init() {}
}
