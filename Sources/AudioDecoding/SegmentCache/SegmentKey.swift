package import MediaModel

/// One decode of one sound: what makes its samples these and no others.
package struct SegmentedAudio: Hashable, Sendable {
  package var hash: ContentHash
  package var format: AudioFormat
  /// Frames that the file says to be the encoder's, dropped in front and behind; two files of one sound may differ in it.
  package var delayFrameCount: Int?
  package var paddingFrameCount: Int?

  package init(hash: ContentHash, format: AudioFormat, delayFrameCount: Int? = nil, paddingFrameCount: Int? = nil) {
    self.hash = hash
    self.format = format
    self.delayFrameCount = delayFrameCount
    self.paddingFrameCount = paddingFrameCount
  }
}

/// The name of a segment in the cache: audio with its rate and channels, and the segment's number.
package struct SegmentKey: Hashable, Sendable {
  /// Frames of a segment; the last one of a recording has fewer.
  package static let framesPerSegment = 65_536

  package var audio: SegmentedAudio
  /// The segment begins at this multiple of ``framesPerSegment``.
  package var number: Int64

  package init(audio: SegmentedAudio, number: Int64) {
    self.audio = audio
    self.number = number
  }

  /// The frames of the segment, as far as the recording has them; empty where no such segment can be.
  package var frames: Range<Int64> {
    let count = Int64(Self.framesPerSegment)
    guard number >= 0, number < Int64.max / count else { return 0..<0 }
    return number * count..<(number + 1) * count
  }
}
