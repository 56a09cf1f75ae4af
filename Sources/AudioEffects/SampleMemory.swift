/// A fixed number of floats for a kernel to work on: zero at the start, freed with its owner.
///
/// Unlike an array in a class, it can be written to in a loop without asking for exclusive access each time.
struct SampleMemory: ~Copyable {
  let pointer: UnsafeMutablePointer<Float>
  let count: Int

  init(count: Int) {
    self.count = count
    pointer = .allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
  }

  deinit { pointer.deallocate() }

  func clear() { pointer.update(repeating: 0, count: count) }
}

extension UnsafeMutablePointer<Float> {
  /// Four floats from `index` on, of any alignment.
  @inline(__always) func lanes(at index: Int) -> SIMD4<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
  }

  @inline(__always) func store(_ lanes: SIMD4<Float>, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: lanes, as: SIMD4<Float>.self)
  }
}
