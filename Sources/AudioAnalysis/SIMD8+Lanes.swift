// Written so that each becomes the one instruction that does it; the generic ones of the standard library go lane by
// lane. All are for finite numbers.

/// The smaller of each lane.
@inline(__always) func lesser(_ left: SIMD8<Float>, _ right: SIMD8<Float>) -> SIMD8<Float> {
  left.replacing(with: right, where: right .< left)
}

/// The larger of each lane.
@inline(__always) func greater(_ left: SIMD8<Float>, _ right: SIMD8<Float>) -> SIMD8<Float> {
  left.replacing(with: right, where: left .< right)
}

/// Each lane without its sign.
@inline(__always) func magnitude(_ vector: SIMD8<Float>) -> SIMD8<Float> {
  let bits = unsafeBitCast(vector, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7fff_ffff)
  return unsafeBitCast(bits, to: SIMD8<Float>.self)
}

extension SIMD8<Float> {
  /// The smallest lane.
  @inline(__always) var smallestLane: Float {
    let four = lowHalf.replacing(with: highHalf, where: highHalf .< lowHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .< four.lowHalf)
    return Swift.min(two.x, two.y)
  }

  /// The largest lane.
  @inline(__always) var largestLane: Float {
    let four = lowHalf.replacing(with: highHalf, where: lowHalf .< highHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.lowHalf .< four.highHalf)
    return Swift.max(two.x, two.y)
  }
}
