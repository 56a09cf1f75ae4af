/// The next frames of a stream, channel after channel, cut at multiples of ``capacity`` from the stream's start.
///
/// Because every analyzer sees the same cuts whatever the caller's blocks were, sums come out the same to the last bit.
/// The pointers are valid while the analyzer is being called.
struct PlanarChunk {
  /// Frames in every chunk but the last; also the distance of two channels.
  static let capacity = 1_024
  /// Frames of a block, for each of which the extremes are known.
  static let blockSize = 64
  static let blockCount = capacity / blockSize

  let channelCount: Int
  /// `1...capacity`; below `capacity` only in the last chunk, whose remaining samples are 0.
  let frameCount: Int
  let channels: UnsafePointer<Float>
  /// The mean of all channels.
  let mix: UnsafePointer<Float>
  /// The extremes of each block: those of the first channel, of the next, and behind them, where there are several
  /// channels, those of the mix.
  let blocks: UnsafePointer<Extremes>
  /// The largest magnitude among the samples of all channels.
  let peak: Float

  init(
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

  func channel(_ index: Int) -> UnsafePointer<Float> { channels + index * Self.capacity }

  /// The extremes of each block of a channel.
  func blocks(ofChannel index: Int) -> UnsafePointer<Extremes> { blocks + index * Self.blockCount }

  /// The extremes of a run of frames of one channel; at once where it consists of whole blocks.
  func extremes(ofChannel index: Int, from start: Int, count: Int) -> Extremes {
    extremes(blocks(ofChannel: index), channel(index), from: start, count: count)
  }

  /// The same of the mix.
  func extremesOfMix(from start: Int, count: Int) -> Extremes {
    extremes(blocks(ofChannel: channelCount == 1 ? 0 : channelCount), mix, from: start, count: count)
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
