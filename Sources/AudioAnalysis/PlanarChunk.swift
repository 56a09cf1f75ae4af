/// The next frames of a stream, channel after channel, cut at multiples of ``capacity`` from the stream's start.
///
/// Because every analyzer sees the same cuts whatever the caller's blocks were, sums come out the same to the last bit.
/// The pointers are valid while the analyzer is being called.
struct PlanarChunk {
  /// Frames in every chunk but the last; also the distance of two channels.
  static let capacity = 1_024

  let channelCount: Int
  /// `1...capacity`; below `capacity` only in the last chunk, whose remaining samples are 0.
  let frameCount: Int
  let channels: UnsafePointer<Float>
  /// The mean of all channels.
  let mix: UnsafePointer<Float>
  /// The largest magnitude among the samples of all channels.
  let peak: Float

  func channel(_ index: Int) -> UnsafePointer<Float> { channels + index * Self.capacity }
}
