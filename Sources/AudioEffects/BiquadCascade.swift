internal import MediaModel

/// A cascade of filters on two channels, computed two filters at a time: the second filter is one frame behind the
/// first.
///
/// Each step of a filter waits for its previous result; a second filter in the same vector uses that time. The results
/// are the same as with one filter after the other.
enum BiquadCascade {
  typealias Pair = SIMD2<Double>

  static func run(_ lanes: inout [BiquadLane], on frames: UnsafeMutableBufferPointer<Pair>) {
    guard !frames.isEmpty else { return }
    lanes.withUnsafeMutableBufferPointer { lanes in
      var index = 0
      while index + 1 < lanes.count {
        runTwo(&lanes[index], &lanes[index + 1], on: frames)
        index += 2
      }
      guard index < lanes.count else { return }
      var lane = lanes[index]
      for frame in frames.indices { frames[frame] = lane.step(frames[frame]) }
      lanes[index] = lane
    }
  }

  private static func runTwo(
    _ first: inout BiquadLane, _ second: inout BiquadLane, on frames: UnsafeMutableBufferPointer<Pair>
  ) {
    var y = first.step(frames[0])
    let b0 = SIMD4(lowHalf: first.b0, highHalf: second.b0)
    let b1 = SIMD4(lowHalf: first.b1, highHalf: second.b1)
    let b2 = SIMD4(lowHalf: first.b2, highHalf: second.b2)
    let a1 = SIMD4(lowHalf: first.a1, highHalf: second.a1)
    let a2 = SIMD4(lowHalf: first.a2, highHalf: second.a2)
    var s1 = SIMD4(lowHalf: first.s1, highHalf: second.s1)
    var s2 = SIMD4(lowHalf: first.s2, highHalf: second.s2)
    for frame in 1..<max(frames.count, 1) {
      let x = SIMD4(lowHalf: frames[frame], highHalf: y)
      let result = b0 * x + s1
      s1 = b1 * x - a1 * result + s2
      s2 = b2 * x - a2 * result
      y = result.lowHalf
      frames[frame - 1] = result.highHalf
    }
    (first.s1, first.s2) = (s1.lowHalf, s2.lowHalf)
    (second.s1, second.s2) = (s1.highHalf, s2.highHalf)
    frames[frames.count - 1] = second.step(y)
  }
}

/// A filter on two channels at once, with its state: transposed direct form II in double precision.
struct BiquadLane {
  typealias Pair = SIMD2<Double>

  var b0: Pair
  var b1: Pair
  var b2: Pair
  var a1: Pair
  var a2: Pair
  var s1 = Pair.zero
  var s2 = Pair.zero

  /// One filter for each channel; nil passes the samples through.
  init(_ left: BiquadCoefficients?, _ right: BiquadCoefficients?) {
    let (left, right) = (left ?? .identity, right ?? .identity)
    b0 = Pair(left.b0, right.b0)
    b1 = Pair(left.b1, right.b1)
    b2 = Pair(left.b2, right.b2)
    a1 = Pair(left.a1, right.a1)
    a2 = Pair(left.a2, right.a2)
  }

  /// Takes the coefficients of another lane and keeps the state.
  mutating func take(_ other: BiquadLane) {
    (b0, b1, b2, a1, a2) = (other.b0, other.b1, other.b2, other.a1, other.a2)
  }

  @inline(__always) mutating func step(_ x: Pair) -> Pair {
    let y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    return y
  }

  /// Sets state that is too small to be heard to zero, long before it becomes subnormal, which is a hundred times
  /// slower.
  mutating func flush() {
    s1.replace(with: 0, where: s1 .< 1e-30 .& s1 .> -1e-30)
    s2.replace(with: 0, where: s2 .< 1e-30 .& s2 .> -1e-30)
  }
}
