import MediaModel

/// What differs from codec to codec; ``EngineDecoder`` adds what does not.
protocol DecodingEngine: AnyObject {
  var format: AudioFormat { get }
  /// Without `decodedFrameCount`, which is counted outside.
  var mediaFormat: MediaFormat { get }
  /// The first damage met so far.
  var problem: Problem? { get }
  var notes: [String] { get }

  /// Fills as much of `buffer` as one step gives, at least one frame.
  ///
  /// - Returns: the number of frames; 0 at the end only.
  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int

  /// Goes to `frame`, or to a frame before it from which decoding on leads there.
  ///
  /// - Returns: the frame that is next.
  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64

  /// Called once, when ``decode(into:)`` has returned 0 after `frameCount` frames: the last chance to find a problem.
  func finish(frameCount: Int64)
}
