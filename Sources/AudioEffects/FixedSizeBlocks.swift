/// Cuts a stream into blocks of one size, whatever the blocks are that it comes in.
///
/// For libraries whose results depend on how samples are cut into calls.
struct FixedSizeBlocks {
  private let sampleCount: Int
  private var waiting: [Float] = []

  init(frameCount: Int, channelCount: Int) {
    sampleCount = frameCount * channelCount
    waiting.reserveCapacity(sampleCount)
  }

  /// Hands on every block that became full.
  mutating func append(
    _ samples: Span<Float>, _ body: (UnsafeBufferPointer<Float>) throws(EffectError) -> Void
  ) throws(EffectError) {
    var start = 0
    while start < samples.count {
      let count = min(sampleCount - waiting.count, samples.count - start)
      samples.extracting(start..<start + count).withUnsafeBufferPointer { waiting.append(contentsOf: $0) }
      start += count
      if waiting.count == sampleCount { try handOn(body) }
    }
  }

  /// Hands on what is left, if anything is.
  mutating func finish(_ body: (UnsafeBufferPointer<Float>) throws(EffectError) -> Void) throws(EffectError) {
    if !waiting.isEmpty { try handOn(body) }
  }

  private mutating func handOn(
    _ body: (UnsafeBufferPointer<Float>) throws(EffectError) -> Void
  ) throws(EffectError) {
    try waiting.withUnsafeBufferPointer { (block) throws(EffectError) in try body(block) }
    waiting.removeAll(keepingCapacity: true)
  }
}
