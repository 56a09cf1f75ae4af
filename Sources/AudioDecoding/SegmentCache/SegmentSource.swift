package import MediaModel

/// Where the samples come from that a cache does not have. One thread at a time.
package protocol SegmentSource: AnyObject {
  var audio: SegmentedAudio { get }

  /// Interleaved, finite samples of the frames; fewer only where the recording ends.
  ///
  /// Going on where the last request ended costs no seek.
  /// - Parameter frames: at most ``SegmentKey/framesPerSegment``.
  func decode(_ frames: Range<Int64>) throws -> [Float]
}

/// Segments straight from a decoder, in this process.
package final class DecoderSegmentSource: SegmentSource {
  package let audio: SegmentedAudio
  private let decoder: any AudioDecoder

  package init(_ decoder: any AudioDecoder, hash: ContentHash) {
    self.decoder = decoder
    let format = decoder.mediaFormat
    audio = SegmentedAudio(
      hash: hash, format: decoder.format, delayFrameCount: format.delayFrameCount,
      paddingFrameCount: format.paddingFrameCount)
  }

  package func decode(_ frames: Range<Int64>) throws -> [Float] { try decode(frames, onProgress: {}) }

  /// - Parameter onProgress: called while the decoder is on its way to a distant frame, as a sign of life.
  package func decode(_ frames: Range<Int64>, onProgress: () -> Void) throws(DecodingError) -> [Float] {
    // Where the decoder stands already, this does nothing.
    try decoder.seek(toFrame: frames.lowerBound, onProgress: onProgress)
    let channelCount = audio.format.channelCount
    var failure: DecodingError?
    let capacity = min(frames.count, SegmentKey.framesPerSegment) * channelCount
    let samples = [Float](unsafeUninitializedCapacity: capacity) { buffer, count in
      buffer.initialize(repeating: 0)
      var span = buffer.mutableSpan
      do throws(DecodingError) { count = try decoder.read(into: &span) * channelCount } catch { failure = error }
    }
    if let failure { throw failure }
    return samples
  }
}
