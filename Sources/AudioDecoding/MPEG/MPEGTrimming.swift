/// Which frames of decoded PCM are the recording, and what the stream's header promised.
struct MPEGTrimming {
  /// What every layer III decoder adds to the delay of the encoder.
  private static let decoderDelay = 529

  /// PCM frames before the recording begins.
  private(set) var skippedFrameCount: Int64 = 0
  /// PCM frames of the recording.
  private(set) var frameCount: Int64
  /// As the LAME extension states them.
  private(set) var delayFrameCount: Int?
  private(set) var paddingFrameCount: Int?
  /// PCM frames that the header promises, after delay and padding.
  private(set) var declaredFrameCount: Int64?
  /// The header promises more than there is, and the end of the stream looks cut.
  private(set) var isTruncated = false
  /// The header promises another length than an intact stream has.
  private(set) var headerLies = false

  init(_ stream: MPEGStream) {
    let samplesPerFrame = Int64(stream.firstHeader.samplesPerFrame)
    frameCount = stream.frameCount * samplesPerFrame
    guard let first = stream.infoFrames.first else { return }
    let promised = stream.beginsWithInfoFrame ? stream.promisedFrameCount : nil
    if stream.beginsWithInfoFrame, let delay = first.delayFrameCount {
      delayFrameCount = delay
      skippedFrameCount = min(frameCount, Self.skippedFrameCount(delayFrameCount: delay))
      frameCount -= skippedFrameCount
    }
    let padding = stream.infoFrames.last?.paddingFrameCount
    paddingFrameCount = padding
    let droppedFrameCount = Int64(max(0, (padding ?? 0) - Self.decoderDelay))
    if let promised {
      declaredFrameCount = max(0, promised * samplesPerFrame - skippedFrameCount - droppedFrameCount)
    }
    if promised == nil || promised == stream.frameCount {
      frameCount = max(0, frameCount - droppedFrameCount)
    } else if let promised, promised > stream.frameCount, stream.interruption == nil {
      isTruncated = Self.looksCut(stream, first: first, promised: promised)
      headerLies = !isTruncated
    } else {
      headerLies = stream.interruption == nil
    }
    if first.promisesNothing { headerLies = true }
  }

  /// PCM frames before a recording whose encoder put so many in front.
  static func skippedFrameCount(delayFrameCount: Int) -> Int64 { Int64(delayFrameCount + decoderDelay) }

  private static func looksCut(_ stream: MPEGStream, first: MPEGInfoFrame, promised: Int64) -> Bool {
    if let byteCount = first.byteCount, stream.infoFrames.count == 1 {
      // No frame is shorter than 24 bytes, so a count that would need shorter ones was never true.
      guard byteCount / 24 >= promised else { return false }
      return byteCount > stream.payloadByteCount + 4096
    }
    return stream.isCutAtEnd
  }
}
