internal import MediaModel

/// Cuts a stream of interleaved blocks into planar chunks and mixes them to mono.
///
/// ```
/// while assembler.fill(from: samples, at: &position) { use(assembler.chunk) }
/// ```
struct ChunkAssembler: ~Copyable {
  private let channelCount: Int
  private let channels: SampleBuffer
  private let mix: SampleBuffer
  /// Of each channel and, where there are several, of the mix.
  private let blocks: UnsafeMutablePointer<Extremes>
  private var frameCount = 0

  init(channelCount: Int) {
    self.channelCount = channelCount
    channels = SampleBuffer(count: channelCount * PlanarChunk.capacity)
    mix = SampleBuffer(count: PlanarChunk.capacity)
    let blockCount = (channelCount + 1) * PlanarChunk.blockCount
    blocks = .allocate(capacity: blockCount)
    blocks.initialize(repeating: Extremes(), count: blockCount)
  }

  deinit { blocks.deallocate() }

  /// Takes frames from `position` on; true when a chunk is complete, false when the block is used up.
  mutating func fill(from samples: Span<Float>, at position: inout Int) -> Bool {
    if frameCount == PlanarChunk.capacity { frameCount = 0 }
    let taken = min(PlanarChunk.capacity - frameCount, (samples.count - position) / channelCount)
    samples.withUnsafeBufferPointer { block in
      guard taken > 0, let base = block.baseAddress else { return }
      deinterleave(base + position, frameCount: taken)
    }
    position += taken * channelCount
    frameCount += taken
    guard frameCount == PlanarChunk.capacity else { return false }
    complete()
    return true
  }

  /// Completes the last chunk with zeros; false when there is none.
  mutating func fillRest() -> Bool {
    guard frameCount > 0, frameCount < PlanarChunk.capacity else { return false }
    for channel in 0..<channelCount {
      let plane = channels.pointer + channel * PlanarChunk.capacity
      (plane + frameCount).update(repeating: 0, count: PlanarChunk.capacity - frameCount)
    }
    complete()
    return true
  }

  /// The chunk that was completed last.
  var chunk: PlanarChunk {
    PlanarChunk(
      channelCount: channelCount, frameCount: frameCount, channels: UnsafePointer(channels.pointer),
      mix: UnsafePointer(channelCount == 1 ? channels.pointer : mix.pointer),
      blocks: UnsafePointer(blocks))
  }

  private func deinterleave(_ source: UnsafePointer<Float>, frameCount taken: Int) {
    let target = channels.pointer + frameCount
    switch channelCount {
    case 1:
      target.update(from: source, count: taken)
    case 2:
      let right = target + PlanarChunk.capacity
      var frame = 0
      while frame + 8 <= taken {
        let pairs = SIMD16(
          lowHalf: source.vector8(at: 2 * frame), highHalf: source.vector8(at: 2 * frame + 8))
        target.store(pairs.evenHalf, at: frame)
        right.store(pairs.oddHalf, at: frame)
        frame += 8
      }
      while frame < taken {
        target[frame] = source[2 * frame]
        right[frame] = source[2 * frame + 1]
        frame += 1
      }
    default:
      for channel in 0..<channelCount {
        let plane = target + channel * PlanarChunk.capacity
        for frame in 0..<taken { plane[frame] = source[frame * channelCount + channel] }
      }
    }
  }

  /// Mixes the channels, and finds the extremes of each block.
  private func complete() {
    for channel in 0..<channelCount {
      measure(channels.pointer + channel * PlanarChunk.capacity, into: blocks + channel * PlanarChunk.blockCount)
    }
    guard channelCount > 1 else { return }
    let share = SIMD8(repeating: 1 / Float(channelCount))
    for frame in stride(from: 0, to: PlanarChunk.capacity, by: 8) {
      var sum = channels.pointer.vector8(at: frame)
      for channel in 1..<channelCount { sum += channels.pointer.vector8(at: channel * PlanarChunk.capacity + frame) }
      mix.pointer.store(sum * share, at: frame)
    }
    measure(mix.pointer, into: blocks + channelCount * PlanarChunk.blockCount)
  }

  private func measure(_ samples: UnsafePointer<Float>, into result: UnsafeMutablePointer<Extremes>) {
    for block in 0..<PlanarChunk.blockCount {
      result[block] = Extremes(of: samples + block * PlanarChunk.blockSize, count: PlanarChunk.blockSize)
    }
  }
}
