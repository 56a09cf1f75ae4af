internal import SignalProcessing

/// The next frames of a stream, channel after channel, cut at multiples of ``capacity`` from the stream's start.
///
/// Because every analyzer sees the same cuts, whatever the caller's blocks were, sums come out the same to the last
/// bit.
///
/// Only a ``ChunkAssembler`` makes a chunk, and only lends it: a chunk cannot be copied, so nothing can keep it while
/// the assembler fills the memory below it with other frames. Pointers are valid inside the closures that they are
/// passed to.
struct PlanarChunk: ~Copyable {
  /// Frames in every chunk but the last; also the distance between two channels.
  static let capacity = 1_024
  /// Frames in a block; the extremes of each block are known.
  static let blockSize = 64
  static let blockCount = capacity / blockSize

  let channelCount: Int
  /// `1...capacity`; below `capacity` only in the last chunk, whose remaining samples are 0.
  let frameCount: Int
  /// The largest magnitude among the samples of all channels.
  let peak: Float
  private let channels: UnsafePointer<Float>
  /// The mean of all channels.
  private let mix: UnsafePointer<Float>
  /// The extremes of each block: those of the first channel, of the next, and so on, and last, if there are several
  /// channels, those of the mix.
  private let blocks: UnsafePointer<Extremes>

  fileprivate init(
    channelCount: Int, frameCount: Int, channels: UnsafePointer<Float>, mix: UnsafePointer<Float>,
    blocks: UnsafePointer<Extremes>
  ) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.channels = channels
    self.mix = mix
    self.blocks = blocks
    var peak: Float = 0
    for block in 0..<channelCount * Self.blockCount { peak = max(peak, blocks[block].magnitude) }
    self.peak = peak
  }

  /// Lends the ``capacity`` samples of a channel.
  @inline(__always)
  func withChannel<Result>(_ index: Int, _ body: (UnsafePointer<Float>) -> Result) -> Result {
    body(channels + index * Self.capacity)
  }

  /// Lends the ``capacity`` samples of two channels, which may be the same one.
  @inline(__always)
  func withChannels<Result>(
    _ first: Int, _ second: Int, _ body: (UnsafePointer<Float>, UnsafePointer<Float>) -> Result
  ) -> Result {
    body(channels + first * Self.capacity, channels + second * Self.capacity)
  }

  /// Lends the ``capacity`` samples of the mean of all channels.
  @inline(__always)
  func withMix<Result>(_ body: (UnsafePointer<Float>) -> Result) -> Result { body(mix) }

  /// Lends the extremes of the ``blockCount`` blocks of a channel.
  @inline(__always)
  func withBlocks<Result>(ofChannel index: Int, _ body: (UnsafePointer<Extremes>) -> Result) -> Result {
    body(blocks + index * Self.blockCount)
  }

  /// The extremes of a run of frames of one channel; O(blocks) if it consists of whole blocks.
  func extremes(ofChannel index: Int, from start: Int, count: Int) -> Extremes {
    extremes(blocks + index * Self.blockCount, channels + index * Self.capacity, from: start, count: count)
  }

  /// The extremes of a run of frames of the mix; O(blocks) if it consists of whole blocks.
  func extremesOfMix(from start: Int, count: Int) -> Extremes {
    extremes(
      blocks + (channelCount == 1 ? 0 : channelCount) * Self.blockCount, mix, from: start, count: count)
  }

  private func extremes(
    _ blocks: UnsafePointer<Extremes>, _ samples: UnsafePointer<Float>, from start: Int, count: Int
  ) -> Extremes {
    guard start.isMultiple(of: Self.blockSize), count.isMultiple(of: Self.blockSize) else {
      return Extremes(of: samples + start, count: count)
    }
    var extremes = Extremes()
    for block in start / Self.blockSize..<(start + count) / Self.blockSize { extremes.formUnion(blocks[block]) }
    return extremes
  }
}

/// Cuts a stream of interleaved blocks into planar chunks and mixes them to mono.
///
/// ```
/// assembler.append(samples) { use($0) }
/// assembler.finish { use($0) }
/// ```
struct ChunkAssembler: ~Copyable {
  private let channelCount: Int
  private let channels: SampleBuffer
  private let mix: SampleBuffer
  /// The extremes of each block of each channel and, if there are several, of the mix.
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

  /// Adds the next block, any number of whole frames, and lends each chunk that is complete.
  @inline(__always)
  mutating func append(_ samples: Span<Float>, _ body: (borrowing PlanarChunk) -> Void) {
    var position = 0
    while fill(from: samples, at: &position) { withChunk(body) }
  }

  /// Ends the stream: fills the last chunk up with zeros and lends it, if it has any frames.
  @inline(__always)
  mutating func finish(_ body: (borrowing PlanarChunk) -> Void) {
    if fillRest() { withChunk(body) }
  }

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

  /// Lends the chunk that was completed last.
  @inline(__always)
  func withChunk(_ body: (borrowing PlanarChunk) -> Void) {
    body(
      PlanarChunk(
        channelCount: channelCount, frameCount: frameCount, channels: UnsafePointer(channels.pointer),
        mix: UnsafePointer(channelCount == 1 ? channels.pointer : mix.pointer),
        blocks: UnsafePointer(blocks)))
  }

  /// Completes the last chunk with zeros; false if it has no frames.
  private mutating func fillRest() -> Bool {
    guard frameCount > 0, frameCount < PlanarChunk.capacity else { return false }
    for channel in 0..<channelCount {
      let plane = channels.pointer + channel * PlanarChunk.capacity
      (plane + frameCount).update(repeating: 0, count: PlanarChunk.capacity - frameCount)
    }
    complete()
    return true
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
