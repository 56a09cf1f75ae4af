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
