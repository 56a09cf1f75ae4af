import MediaModel

/// Where a stream of MPEG audio has its frames, found in one walk over their headers.
struct MPEGLayout {
  /// What interrupts the row of frames.
  enum Interruption: Hashable {
    case junk(beforeFrame: Int64, byteCount: Int64)
    case newParameters(atFrame: Int64, description: String)
    case gaveUp(afterFrame: Int64)
  }

  let firstHeader: MPEGFrameHeader
  /// File offset of the first audio frame.
  let start: Int64
  /// The range of the file that was walked; a decoder that walks it again finds the same frames.
  let range: Range<Int64>
  /// Length of a free-format frame without its padding.
  private(set) var freeFormatByteCount: Int?
  /// Audio frames of the first segment: up to the end, or to where rate or channels change.
  private(set) var frameCount: Int64 = 0
  /// Bytes of the audio frames of the first segment.
  private(set) var byteCount: Int64 = 0
  /// Bytes of all audio frames, also after a change of parameters.
  private(set) var streamByteCount: Int64 = 0
  /// More than one if files were joined.
  private(set) var infoFrames: [MPEGInfoFrame] = []
  /// Whether the first of them precedes the audio, and so describes its start; the first of joined files may have none.
  private(set) var beginsWithInfoFrame = false
  /// The first one.
  private(set) var interruption: Interruption?
  private(set) var isCutAtEnd = false
  /// Zero bytes at the start of what is before the first frame, and bytes of any value behind the last one.
  private(set) var leadingZeroByteCount: Int64 = 0
  private(set) var trailingByteCount: Int64 = 0
  /// Offsets of frames by number, which is a multiple of 8.
  private(set) var index = SeekIndex<Int64>(stride: 8)

  /// What lies between the frames, before and behind them, and frames that are not decoded.
  private(set) var unread = UnreadRanges()

  /// What a container around the frames says about their ends, with the frames that every decoder adds.
  var trimming: Trimming?

  /// Frames of another shape in a row, and their bytes: a few are damaged headers, more are a new segment.
  private var strangeFrameCount = 0
  private var strangeByteCount: Int64 = 0
  private var hasNewParameters = false

  private static let strangeFrameLimit = 3
  private static let maximumInfoFrameCount = 1024

  private init(first: MPEGFrameScanner.Frame, range: Range<Int64>) {
    firstHeader = first.header
    start = first.offset
    self.range = range
  }

  /// Walks `range`.
  ///
  /// - Parameter onFrame: gets the bytes of each audio frame in order.
  /// - Returns: nil if there is no frame of audio.
  static func scan(
    _ bytes: BufferedBytes, range: Range<Int64>, onFrame: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) -> MPEGLayout? {
    var scanner = MPEGFrameScanner(bytes, range: range)
    var stream: MPEGLayout?
    var infoFrames: [MPEGInfoFrame] = []
    var unread = UnreadRanges()
    var end = range.lowerBound
    var leadingByteCount: Int64?
    while let frame = try scanner.next() {
      unread.add(end..<frame.offset)
      if leadingByteCount == nil { leadingByteCount = scanner.skippedByteCount }
      end = frame.offset + Int64(frame.byteCount)
      let info = try bytes.withBytes(at: frame.offset, count: frame.byteCount) { view in
        let info = MPEGInfoFrame(header: frame.header, frame: view)
        if info == nil { onFrame?(view) }
        return info
      }
      if let info {
        if infoFrames.count < maximumInfoFrameCount { infoFrames.append(info) }
        continue
      }
      if stream?.isDecoded(frame) == false { unread.add(frame.offset..<end) }
      if stream == nil {
        stream = MPEGLayout(first: frame, range: range)
        stream?.beginsWithInfoFrame = !infoFrames.isEmpty
        stream?.add(frame, skippedByteCount: 0)
        stream?.freeFormatByteCount = scanner.freeFormatByteCount
      } else {
        stream?.add(frame, skippedByteCount: scanner.skippedByteCount)
      }
    }
    stream?.infoFrames = infoFrames
    stream?.isCutAtEnd = scanner.isCutAtEnd
    if !scanner.isCutAtEnd { stream?.trailingByteCount = scanner.skippedByteCount }
    if let leadingByteCount, leadingByteCount > 0, let start = unread.ranges.first?.upperBound {
      stream?.leadingZeroByteCount = try bytes.zeroByteCount(atStartOf: start - leadingByteCount..<start)
    }
    // A frame that the file ends in is one of the stream.
    if !scanner.isCutAtEnd { unread.add(end..<max(end, min(range.upperBound, bytes.byteCount))) }
    stream?.unread = unread
    if scanner.gaveUp, let stream, stream.interruption == nil {
      var result = stream
      result.interruption = .gaveUp(afterFrame: stream.frameCount)
      return result
    }
    return stream
  }

  /// Whether a frame has the rate and the channels of the first one, and is not behind a change of them.
  private func isDecoded(_ frame: MPEGFrameScanner.Frame) -> Bool {
    !hasNewParameters && frame.header.hasShape(of: firstHeader)
  }

  private mutating func add(_ frame: MPEGFrameScanner.Frame, skippedByteCount: Int64) {
    streamByteCount += Int64(frame.byteCount)
    if hasNewParameters { return }
    guard frame.header.hasShape(of: firstHeader) else {
      strangeFrameCount += 1
      strangeByteCount += Int64(frame.byteCount) + skippedByteCount
      guard strangeFrameCount == Self.strangeFrameLimit else { return }
      hasNewParameters = true
      interruption = interruption ?? .newParameters(atFrame: frameCount, description: frame.header.shape)
      return
    }
    let lostByteCount = strangeByteCount + skippedByteCount
    if lostByteCount > 0, interruption == nil {
      interruption = .junk(beforeFrame: frameCount, byteCount: lostByteCount)
    }
    strangeFrameCount = 0
    strangeByteCount = 0
    index.add(frame.offset, at: frameCount)
    frameCount += 1
    byteCount += Int64(frame.byteCount)
  }

  /// What is wrong behind the last frame, or before the first one; nil if that is nothing.
  var overwrittenEnd: String? {
    guard interruption == nil else { return nil }
    return OverwrittenEnds.reason(trailingByteCount: trailingByteCount, byteCount, seconds: seconds)
  }

  var overwrittenStart: String? {
    OverwrittenEnds.reason(leadingZeroByteCount: leadingZeroByteCount, byteCount, seconds: seconds)
  }

  private var seconds: Double {
    Double(frameCount) * Double(firstHeader.samplesPerFrame) / Double(firstHeader.sampleRateInHz)
  }

  /// The sum of the frames that the info frames promise; nil unless each of them promises some.
  var promisedFrameCount: Int64? {
    guard !infoFrames.isEmpty else { return nil }
    var sum: Int64 = 0
    for info in infoFrames {
      guard let count = info.frameCount else { return nil }
      sum += count
    }
    return sum
  }
}

extension MPEGLayout: StreamLayout {
  /// Finds the frames of a bare stream, with tags around it or without.
  ///
  /// - Parameter hashers: the former one gets the frames, which are those of the current version, too.
  /// - Returns: nil if there is no frame of audio.
  static func open(_ bytes: BufferedBytes, hashers: StreamHashers?) throws(DecodingError) -> MPEGLayout? {
    let former = hashers?.former
    return try scan(bytes, range: TagBounds(bytes).audio) { former?.update($0) }
  }

  var declaration: StreamDeclaration {
    let trimming = MPEGTrimming(self)
    return StreamDeclaration(
      isSound: problem(trimming) == nil && !trimming.headerLies, delayFrameCount: trimming.delayFrameCount,
      frameCount: trimming.frameCount)
  }

  var hasFormerHash: Bool { true }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) -> Int64? {
    hashers.current.begin(.mpeg)
    hashers.current.note(hashers.former)
    return hashers.former.byteCount
  }

  func account(to account: inout FileAccount) throws(DecodingError) {
    try account.leave(unread)
    account.compare(
      frameCount: MPEGTrimming(self).frameCount, ofDecoded: frameCount * Int64(firstHeader.samplesPerFrame),
      sampleRateInHz: firstHeader.sampleRateInHz)
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    try MPEGDecoder(bytes, stream: self, container: container)
  }
}

extension StreamHashers.Rules {
  static let mpeg = Self("mpeg")
}

extension TrackForm {
  /// Frames of MPEG audio in another container, whose trimming counts if no frame of theirs states it.
  static var mpeg: TrackForm {
    .joined(
      JoinedForm { (bytes, hashers, trimming) throws(DecodingError) in
        guard var stream = try MPEGLayout.open(bytes, hashers: hashers) else { return nil }
        let header = stream.firstHeader
        if stream.infoFrames.isEmpty { stream.trimming = trimming(header.sampleRateInHz, header.samplesPerFrame) }
        return stream
      })
  }
}

/// What a Xing, Info or VBRI frame says: metadata in the form of a frame, never audio.
struct MPEGInfoFrame: Hashable, Sendable {
  /// Frames without this one; nil if the field is absent or 0.
  var frameCount: Int64?
  /// The field is present and says 0.
  var promisesNothing = false
  var byteCount: Int64?
  /// Frames of PCM that the encoder added at the start and at the end, from a LAME extension.
  var delayFrameCount: Int?
  var paddingFrameCount: Int?

  /// nil unless `frame`, which begins with `header`, is such a frame.
  init?(header: MPEGFrameHeader, frame: UnsafeRawBufferPointer) {
    guard header.layer == 3 else { return nil }
    let tag = header.infoTagOffset
    if frame.has("Xing", at: tag) || frame.has("Info", at: tag) {
      readXing(frame, at: tag)
    } else if frame.has("VBRI", at: 36) {
      byteCount = frame.bigEndian(UInt32.self, at: 46).map { Int64($0) }
      frameCount = frame.bigEndian(UInt32.self, at: 50).map { Int64($0) }
    } else {
      return nil
    }
    if frameCount == 0 {
      frameCount = nil
      promisesNothing = true
    }
    if byteCount == 0 { byteCount = nil }
  }

  private mutating func readXing(_ frame: UnsafeRawBufferPointer, at tag: Int) {
    guard let flags = frame.bigEndian(UInt32.self, at: tag + 4) else { return }
    var offset = tag + 8
    if flags & 1 != 0 {
      frameCount = frame.bigEndian(UInt32.self, at: offset).map { Int64($0) }
      offset += 4
    }
    if flags & 2 != 0 {
      byteCount = frame.bigEndian(UInt32.self, at: offset).map { Int64($0) }
      offset += 4
    }
    if flags & 4 != 0 { offset += 100 }
    if flags & 8 != 0 { offset += 4 }
    // An extension starts with the encoder's name: "LAME", "Lavc", "Lavf", "GOGO" and others all start with a letter.
    guard let first = frame.bigEndian(UInt8.self, at: offset), (0x41...0x7A).contains(first),
      let upper = frame.bigEndian(UInt16.self, at: offset + 21),
      let lower = frame.bigEndian(UInt8.self, at: offset + 23)
    else { return }
    let delay = Int(upper >> 4)
    let padding = Int(upper & 15) << 8 | Int(lower)
    guard delay > 0 || padding > 0 else { return }
    delayFrameCount = delay
    paddingFrameCount = padding
  }
}

/// Which frames of decoded PCM are the recording, and what the header of the stream promises.
package struct MPEGTrimming {
  /// PCM frames that every decoder of layer III adds to the delay of the encoder.
  private static let decoderDelay = 529

  /// PCM frames before the recording begins.
  private(set) var skippedFrameCount: Int64 = 0
  /// PCM frames of the recording.
  private(set) var frameCount: Int64
  /// From the LAME extension.
  private(set) var delayFrameCount: Int?
  private(set) var paddingFrameCount: Int?
  /// PCM frames that the header promises, after delay and padding.
  private(set) var declaredFrameCount: Int64?
  /// The header promises more than there is, and the stream seems to be cut at its end.
  private(set) var isTruncated = false
  /// The header promises another length than an intact stream has.
  private(set) var headerLies = false

  init(_ stream: MPEGLayout) {
    let samplesPerFrame = Int64(stream.firstHeader.samplesPerFrame)
    frameCount = stream.frameCount * samplesPerFrame
    guard let first = stream.infoFrames.first else {
      if let trimming = stream.trimming { trim(by: trimming) }
      return
    }
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
    if promised == nil || promised == stream.frameCount || Self.isWhole(stream, first: first) {
      frameCount = max(0, frameCount - droppedFrameCount)
      if let promised, promised != stream.frameCount { headerLies = stream.interruption == nil }
    } else if let promised, promised > stream.frameCount, stream.interruption == nil {
      isTruncated = Self.looksCut(stream, first: first, promised: promised)
      headerLies = !isTruncated
    } else {
      headerLies = stream.interruption == nil
    }
    if first.promisesNothing { headerLies = true }
  }

  private mutating func trim(by trimming: Trimming) {
    skippedFrameCount = min(frameCount, max(0, trimming.skippedFrameCount))
    frameCount = max(0, frameCount - skippedFrameCount - max(0, trimming.droppedFrameCount))
    declaredFrameCount = frameCount
    guard trimming.skippedFrameCount >= Int64(Self.decoderDelay) else { return }
    delayFrameCount = Int(trimming.skippedFrameCount) - Self.decoderDelay
    paddingFrameCount = Int(max(0, trimming.droppedFrameCount)) + Self.decoderDelay
  }

  /// PCM frames before a recording at whose start the encoder added `delayFrameCount`.
  package static func skippedFrameCount(delayFrameCount: Int) -> Int64 { Int64(delayFrameCount + decoderDelay) }

  /// Whether the stream ends where the info frame says in bytes, so that the padding is at its end, however many frames
  /// are promised. The bytes may count the info frame, or not.
  private static func isWhole(_ stream: MPEGLayout, first: MPEGInfoFrame) -> Bool {
    guard stream.infoFrames.count == 1, stream.interruption == nil, let byteCount = first.byteCount else {
      return false
    }
    let missing = byteCount - stream.streamByteCount
    return abs(missing) <= Int64(MPEGFrameScanner.maximumFrameByteCount)
  }

  private static func looksCut(_ stream: MPEGLayout, first: MPEGInfoFrame, promised: Int64) -> Bool {
    if let byteCount = first.byteCount, stream.infoFrames.count == 1 {
      // No frame is shorter than 24 bytes: a count that would need shorter ones was never true.
      guard byteCount / 24 >= promised else { return false }
      return byteCount > stream.streamByteCount + 4096
    }
    return stream.isCutAtEnd || stream.overwrittenEnd != nil
  }
}
