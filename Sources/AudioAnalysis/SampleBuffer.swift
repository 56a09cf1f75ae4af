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
