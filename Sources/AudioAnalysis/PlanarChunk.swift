/// The next frames of a stream, channel after channel, cut at multiples of ``capacity`` from the stream's start.
///
/// Because every analyzer sees the same cuts whatever the caller's blocks were, sums come out the same to the last bit.
/// The pointers are valid while the analyzer is being called.
struct PlanarChunk {
  /// Frames in every chunk but the last; also the distance of two channels.
  static let capacity = 1_024
  /// Frames of a block, for each of which the largest magnitude is known.
  static let blockSize = 64
  static let blockCount = capacity / blockSize

  let channelCount: Int
  /// `1...capacity`; below `capacity` only in the last chunk, whose remaining samples are 0.
  let frameCount: Int
  let channels: UnsafePointer<Float>
  /// The mean of all channels.
  let mix: UnsafePointer<Float>
  /// The largest magnitude of each block, channel after channel.
  let blockPeaks: UnsafePointer<Float>
  /// The largest magnitude among the samples of all channels.
  let peak: Float

  init(
    channelCount: Int, frameCount: Int, channels: UnsafePointer<Float>, mix: UnsafePointer<Float>,
    blockPeaks: UnsafePointer<Float>
  ) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.channels = channels
    self.mix = mix
    self.blockPeaks = blockPeaks
    var peak: Float = 0
    for block in 0..<channelCount * Self.blockCount { peak = max(peak, blockPeaks[block]) }
    self.peak = peak
  }

  func channel(_ index: Int) -> UnsafePointer<Float> { channels + index * Self.capacity }
}
