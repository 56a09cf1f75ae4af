/// Filters one after the other on two channels, two filters at a time: the second works on the frame before.
///
/// One filter must wait for its own last result; two side by side in one vector use the time. The numbers are the same
/// as of one after the other.
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
