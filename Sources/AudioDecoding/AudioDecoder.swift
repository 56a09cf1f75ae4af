package import MediaModel

/// A file's audio as a stream of interleaved floats that can be positioned to a frame.
///
/// Decoders read through the descriptor they were made with, at offsets of their own; the descriptor's position is not
/// used, and it must stay open as long as the decoder lives. One thread at a time.
package protocol AudioDecoder: AnyObject {
  /// The shape of what ``read(into:)`` gives, the same from the first to the last frame.
  var format: AudioFormat { get }

  /// What is known of the recording so far; `decodedFrameCount` is final once ``read(into:)`` has returned 0.
  var mediaFormat: MediaFormat { get }

  /// What the decode came to so far; final once ``read(into:)`` has returned 0.
  var outcome: DecodingOutcome { get }

  /// Fills `samples` from its start with as many whole frames as fit, fewer only at the end.
  ///
  /// All samples are finite. Where blocks are cut makes no difference to the samples.
  ///
  /// - Returns: the number of frames; 0 at the end, and from then on.
  func read(into samples: inout MutableSpan<Float>) throws(DecodingError) -> Int

  /// Makes `frame` the next one to be read: what follows is bit-identical to a decode from the start. A frame behind the
  /// end positions at the end.
  ///
  /// What has to be decoded on the way depends on the codec (docs/decisions/0012): nothing or a few frames for most, and
  /// for Opus all from the nearest position whose state is kept, at first from the start.
  ///
  /// - Parameter onProgress: called for every block that is decoded on the way, as a sign of life.
  func seek(toFrame frame: Int64, onProgress: () -> Void) throws(DecodingError)
}

extension AudioDecoder {
  package func seek(toFrame frame: Int64) throws(DecodingError) { try seek(toFrame: frame, onProgress: {}) }
}

/// How a decoder finds a frame.
package enum SeekingMethod: Hashable, Sendable {
  /// By the positions that the file itself gives.
  case byPosition
  /// By decoding and counting from the start: exact in damaged files too, whose positions are wrong behind the damage.
  case byCounting
}
