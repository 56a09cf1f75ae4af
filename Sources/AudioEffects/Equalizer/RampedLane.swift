/// A filter on its way to other coefficients: each frame takes one step, in a straight line.
///
/// The line between two stable filters is stable: the coefficients of stable ones fill a triangle.
struct RampedLane {
  typealias Pair = SIMD2<Double>

  private var delta: BiquadLane
  private var mix: Double
  private let mixDelta: Double

  /// - Parameters:
  ///   - lane: Where it begins.
  ///   - target: The coefficients after `frameCount` frames.
  init(from lane: BiquadLane, mix: Double, to target: BiquadLane, targetMix: Double, frameCount: Int) {
    let scale = Pair(repeating: 1 / Double(frameCount))
    delta = target
    delta.b0 = (target.b0 - lane.b0) * scale
    delta.b1 = (target.b1 - lane.b1) * scale
    delta.b2 = (target.b2 - lane.b2) * scale
    delta.a1 = (target.a1 - lane.a1) * scale
    delta.a2 = (target.a2 - lane.a2) * scale
    self.mix = mix
    mixDelta = (targetMix - mix) / Double(frameCount)
  }

  mutating func run(_ lane: inout BiquadLane, on frames: UnsafeMutableBufferPointer<Pair>) {
    for frame in frames.indices {
      let x = frames[frame]
      let y = lane.step(x)
      frames[frame] = x + (y - x) * mix
      lane.b0 += delta.b0
      lane.b1 += delta.b1
      lane.b2 += delta.b2
      lane.a1 += delta.a1
      lane.a2 += delta.a2
      mix += mixDelta
    }
  }
}
