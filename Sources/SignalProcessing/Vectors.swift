extension UnsafePointer<Float> {
  /// Four floats from `index` on, of any alignment.
  @inlinable @inline(__always) package func vector4(at index: Int) -> SIMD4<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Eight floats from `index` on, of any alignment.
  @inlinable @inline(__always) package func vector8(at index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
  }
}

extension UnsafeMutablePointer<Float> {
  @inlinable @inline(__always) package func vector4(at index: Int) -> SIMD4<Float> {
    UnsafePointer(self).vector4(at: index)
  }

  @inlinable @inline(__always) package func vector8(at index: Int) -> SIMD8<Float> {
    UnsafePointer(self).vector8(at: index)
  }

  @inlinable @inline(__always) package func store(_ vector: SIMD4<Float>, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: vector, as: SIMD4<Float>.self)
  }

  @inlinable @inline(__always) package func store(_ vector: SIMD8<Float>, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: vector, as: SIMD8<Float>.self)
  }
}

// MARK: Lanes

// Each of these compiles to one vector instruction; the generic versions of the standard library work lane by lane.
// All are for finite numbers.

/// The smaller number in each lane.
@inlinable @inline(__always)
package func lesser(_ left: SIMD8<Float>, _ right: SIMD8<Float>) -> SIMD8<Float> {
  left.replacing(with: right, where: right .< left)
}

/// The larger number in each lane.
@inlinable @inline(__always)
package func greater(_ left: SIMD8<Float>, _ right: SIMD8<Float>) -> SIMD8<Float> {
  left.replacing(with: right, where: left .< right)
}

/// Each lane without its sign.
@inlinable @inline(__always)
package func magnitude(_ vector: SIMD8<Float>) -> SIMD8<Float> {
  let bits = unsafeBitCast(vector, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7fff_ffff)
  return unsafeBitCast(bits, to: SIMD8<Float>.self)
}

extension SIMD8<Float> {
  /// The smallest lane.
  @inlinable @inline(__always) package var smallestLane: Float {
    let four = lowHalf.replacing(with: highHalf, where: highHalf .< lowHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .< four.lowHalf)
    return Swift.min(two.x, two.y)
  }

  /// The largest lane.
  @inlinable @inline(__always) package var largestLane: Float {
    let four = lowHalf.replacing(with: highHalf, where: lowHalf .< highHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.lowHalf .< four.highHalf)
    return Swift.max(two.x, two.y)
  }
}
