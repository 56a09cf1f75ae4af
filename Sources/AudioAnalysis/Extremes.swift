/// Smallest and largest of a run of numbers.
struct Extremes {
  var low: Float
  var high: Float

  /// Those of no number at all.
  init() { self.init(low: .infinity, high: -.infinity) }

  init(low: Float, high: Float) {
    self.low = low
    self.high = high
  }

  /// The larger distance from zero.
  var magnitude: Float { max(-low, high) }

  mutating func formUnion(_ other: Extremes) {
    low = min(low, other.low)
    high = max(high, other.high)
  }

  /// - Precondition: the numbers are finite.
  // Where the count is known the compiler unrolls the loop, and then no longer sees minima and maxima in it.
  @inline(never)
  init(of samples: UnsafePointer<Float>, count: Int) {
    self.init()
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
}
