package import AudioDecoding
package import MediaModel

/// Where a cache gets the samples of a recording. One thread at a time.
package protocol SegmentSource: AnyObject {
  var audio: SegmentedAudio { get }

  /// Interleaved, finite samples of the frames; fewer only if the recording ends.
  ///
  /// A request that begins where the last one ended needs no seek.
  /// - Parameter frames: At most ``SegmentKey/framesPerSegment``.
  func decode(_ frames: Range<Int64>) throws -> [Float]

  /// Uses the time between two requests to make later jumps fast, where all before a place has to be decoded.
  func lookAhead()
}

extension SegmentSource {
  package func lookAhead() {}
}

/// Segments from a decoder in this process.
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

  /// Does a part of it at once.
  ///
  /// - Returns: whether there is more to do.
  package func lookAhead() throws(DecodingError) -> Bool { try decoder.lookAhead() }

  /// - Parameter onProgress: Called while the decoder seeks to a distant frame, as a sign of life.
  package func decode(_ frames: Range<Int64>, onProgress: () -> Void) throws(DecodingError) -> [Float] {
    // Does nothing if the decoder is already there.
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

/// Segments of an MP3 file that does not state the encoder's delay, trimmed as another file with the same recording
/// states it.
package final class TrimmedSegmentSource: SegmentSource {
  /// The largest value of the 12 bits in the LAME extension.
  private static let maximumDelay = 4095

  package let audio: SegmentedAudio
  private let source: any SegmentSource
  /// The frames of the source that belong to the recording.
  private let frames: Range<Int64>

  /// - Parameter format: The stored one, with the delay.
  /// - Returns: nil if there is nothing to trim, or it is not known what.
  package init?(_ source: any SegmentSource, as format: MediaFormat) {
    guard format.codec == .mp3, source.audio.delayFrameCount == nil, source.audio.paddingFrameCount == nil,
      let delayFrameCount = format.delayFrameCount, let frameCount = format.decodedFrameCount,
      (0...Self.maximumDelay).contains(delayFrameCount), (0...1 << 60).contains(frameCount)
    else { return nil }
    self.source = source
    let start = MPEGTrimming.skippedFrameCount(delayFrameCount: delayFrameCount)
    frames = start..<start + frameCount
    audio = SegmentedAudio(
      hash: source.audio.hash, format: source.audio.format, delayFrameCount: delayFrameCount,
      paddingFrameCount: format.paddingFrameCount, declaration: source.audio.declaration)
  }

  package func decode(_ frames: Range<Int64>) throws -> [Float] {
    let start = self.frames.lowerBound
    let wanted = (start + frames.lowerBound..<start + frames.upperBound).clamped(to: self.frames)
    return wanted.isEmpty ? [] : try source.decode(wanted)
  }

  package func lookAhead() { source.lookAhead() }
}
