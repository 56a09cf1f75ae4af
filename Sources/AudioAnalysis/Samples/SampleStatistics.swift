internal import SignalProcessing

/// The smallest and the largest of a run of numbers.
struct Extremes {
  var low: Float
  var high: Float

  /// The extremes of an empty run.
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

  /// - Precondition: The numbers are finite.
  // Not inlined: with a known count the compiler unrolls the loop and then no longer uses vector minima and maxima.
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

/// The sum and the sum of squares of a run of samples.
///
/// Floats are summed in eight lanes over at most ``groupSize`` samples, and groups in double precision: the relative
/// error of a sum of squares stays below 2⁻¹⁹ for any length. A group whose squares are too large for floats is summed
/// again in double precision, so the results are finite for all finite samples.
struct SampleSums {
  private static let groupSize = 256

  private(set) var sum = 0.0
  private(set) var sumOfSquares = 0.0

  @inline(__always)
  init(of samples: UnsafePointer<Float>, count: Int) {
    var index = 0
    while index + 8 <= count {
      let start = index
      let end = min(index + Self.groupSize, count)
      var sums = SIMD8<Float>.zero
      var squares = SIMD8<Float>.zero
      while index + 8 <= end {
        let vector = samples.vector8(at: index)
        sums += vector
        squares += vector * vector
        index += 8
      }
      let totalOfSquares = Self.total(squares)
      if totalOfSquares.isFinite {
        sum += Self.total(sums)
        sumOfSquares += totalOfSquares
      } else {
        for loud in start..<index { addInDouble(samples[loud]) }
      }
    }
    while index < count {
      addInDouble(samples[index])
      index += 1
    }
  }

  private mutating func addInDouble(_ sample: Float) {
    sum += Double(sample)
    sumOfSquares += Double(sample) * Double(sample)
  }

  @inline(__always) private static func total(_ lanes: SIMD8<Float>) -> Double {
    let pairs = SIMD4<Double>(lanes.lowHalf) + SIMD4<Double>(lanes.highHalf)
    let two = pairs.lowHalf + pairs.highHalf
    return two.x + two.y
  }
}
