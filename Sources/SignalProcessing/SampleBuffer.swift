/// A fixed number of floats for a kernel to work on: zero at the start, aligned for vectors, freed with its owner.
///
/// Unlike an array in a class, it can be written to in a loop without asking for exclusive access each time. It is public because
/// Embedded Swift, for the page, finds only the `deinit` of public types in other modules.
public struct SampleBuffer: ~Copyable {
  package let pointer: UnsafeMutablePointer<Float>
  package let count: Int

  package init(count: Int) {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(count, 16) * MemoryLayout<Float>.stride, alignment: 64)
    pointer = bytes.bindMemory(to: Float.self, capacity: max(count, 16))
    pointer.initialize(repeating: 0, count: max(count, 16))
    self.count = count
  }

  package init(_ values: [Float]) {
    self.init(count: values.count)
    for (index, value) in values.enumerated() { pointer[index] = value }
  }

  deinit { pointer.deallocate() }

  package func clear() { pointer.update(repeating: 0, count: count) }
}
