package import MediaModel

/// Segments of an MP3 file that does not say how much of it is the encoder's, cut as another file with its sound says it.
package final class TrimmedSegmentSource: SegmentSource {
  /// What the 12 bits of the LAME extension can say.
  private static let maximumDelay = 4095

  package let audio: SegmentedAudio
  private let source: any SegmentSource
  /// Those of the source that are the recording.
  private let frames: Range<Int64>

  /// - Parameter format: as it was found with the delay.
  /// - Returns: nil where there is nothing to be cut, or not known what.
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
      paddingFrameCount: format.paddingFrameCount)
  }

  package func decode(_ frames: Range<Int64>) throws -> [Float] {
    let start = self.frames.lowerBound
    let wanted = (start + frames.lowerBound..<start + frames.upperBound).clamped(to: self.frames)
    return wanted.isEmpty ? [] : try source.decode(wanted)
  }
}
