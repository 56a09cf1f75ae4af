/// Sum and sum of squares of a run of samples.
///
/// Floats are summed in eight lanes over at most ``groupSize`` samples, groups in double precision: the relative error
/// of a sum of squares stays below 2⁻¹⁹, whatever the length of the stream. A group too loud for the squares of floats
/// is summed again in double precision, so the results are finite for all finite samples.
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
