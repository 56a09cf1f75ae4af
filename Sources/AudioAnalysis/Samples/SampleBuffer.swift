/// A fixed number of floats for a kernel to work on: zero at the start, aligned for vectors, freed with its owner.
struct SampleBuffer: ~Copyable {
  let pointer: UnsafeMutablePointer<Float>
  let count: Int

  init(count: Int) {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(count, 16) * MemoryLayout<Float>.stride, alignment: 64)
    pointer = bytes.bindMemory(to: Float.self, capacity: max(count, 16))
    pointer.initialize(repeating: 0, count: max(count, 16))
    self.count = count
  }

  init(_ values: [Float]) {
    self.init(count: values.count)
    for (index, value) in values.enumerated() { pointer[index] = value }
  }

  deinit { pointer.deallocate() }
}

/// How much memory to reserve for a length that was claimed but not yet counted.
enum Reserve {
  /// The claimed number of elements, limited to what fits into 64 MiB; arrays grow beyond that as elements arrive.
  static func bounded(_ claimedCount: Int64, bytesPerElement: Int) -> Int {
    let limit = Int64((64 << 20) / max(bytesPerElement, 1))
    return Int(min(max(claimedCount, 0), limit))
  }
}

// MARK: Vectors in memory

extension UnsafePointer<Float> {
  /// Four floats from `index` on, of any alignment.
  @inline(__always) func vector4(at index: Int) -> SIMD4<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Eight floats from `index` on, of any alignment.
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

// MARK: Lanes

// Each of these compiles to one vector instruction; the generic versions of the standard library work lane by lane.
// All are for finite numbers.

/// The smaller number in each lane.
@inline(__always) func lesser(_ left: SIMD8<Float>, _ right: SIMD8<Float>) -> SIMD8<Float> {
  left.replacing(with: right, where: right .< left)
}

/// The larger number in each lane.
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
