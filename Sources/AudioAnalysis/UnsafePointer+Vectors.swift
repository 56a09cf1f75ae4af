extension UnsafePointer<Float> {
  /// Four floats from an index on, of any alignment.
  @inline(__always) func vector4(at index: Int) -> SIMD4<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Eight floats from an index on, of any alignment.
  @inline(__always) func vector8(at index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
  }
}

extension UnsafeMutablePointer<Float> {
  @inline(__always) func vector4(at index: Int) -> SIMD4<Float> { UnsafePointer(self).vector4(at: index) }

  @inline(__always) func vector8(at index: Int) -> SIMD8<Float> { UnsafePointer(self).vector8(at: index) }

  @inline(__always) func store(_ vector: SIMD4<Float>, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: vector, as: SIMD4<Float>.self)
  }

  @inline(__always) func store(_ vector: SIMD8<Float>, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: vector, as: SIMD8<Float>.self)
  }
}

/// The smaller of each lane; written so that it becomes one instruction, for finite numbers.
@inline(__always) func lesser(_ left: SIMD8<Float>, _ right: SIMD8<Float>) -> SIMD8<Float> {
  left.replacing(with: right, where: right .< left)
}

/// The larger of each lane; written so that it becomes one instruction, for finite numbers.
@inline(__always) func greater(_ left: SIMD8<Float>, _ right: SIMD8<Float>) -> SIMD8<Float> {
  left.replacing(with: right, where: left .< right)
}

@inline(__always) func greater(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
  left.replacing(with: right, where: left .< right)
}

/// Each lane without its sign.
@inline(__always) func magnitude(_ vector: SIMD8<Float>) -> SIMD8<Float> {
  let bits = unsafeBitCast(vector, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7fff_ffff)
  return unsafeBitCast(bits, to: SIMD8<Float>.self)
}
