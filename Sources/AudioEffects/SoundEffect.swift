package import MediaModel

/// Turns a stream of interleaved samples into another one.
///
/// Where the stream is cut into blocks makes no difference to the bits of the result, only to when they come. One thread
/// at a time.
package protocol SoundEffect: AnyObject {
  /// Of what comes out.
  var format: AudioFormat { get }

  /// The number of frames that come out for so many.
  func outputFrameCount(for inputFrameCount: Int64) -> Int64

  /// Takes whole frames, and appends those that are ready.
  func process(_ samples: Span<Float>, into output: inout [Float]) throws(EffectError)

  /// Appends a part of the rest; called last, until there is no more.
  ///
  /// - Returns: Whether more may come.
  func finish(into output: inout [Float]) throws(EffectError) -> Bool
}
