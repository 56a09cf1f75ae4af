import MediaModel

/// Walks from frame to frame of a bare stream, and finds the next one behind damage.
struct BareFrameScanner {
  /// What is lost is silence: so many frames of it are one packet, and so many at most stand for a byte of damage.
  private static let frameCountOfSilence: Int64 = 65_536
  private static let frameCountPerLostByte: Int64 = 16
  /// A frame without sound has at most a header of another file, or a checksum.
  private static let mostBytesWithoutSound = 1 << 16
  /// Where whole frames are missing, so much at most is filled up; a stream that begins later by its numbers was cut out
  /// of a longer one.
  private static let longestGapSeconds: Int64 = 600
  private static let longestLostStartSeconds: Int64 = 10

  private let bytes: BufferedBytes
  private let end: Int64
  private let syntax: any BareFrameSyntax
  private var offset: Int64
  /// The frame at `offset`, if the damage before it is still to be filled.
  private var found: BareFrame?
  /// The next one by what the frames say; nil if they do not number them.
  private var nextFrame: Int64?
  /// Bytes before the last packet that are not frames.
  private(set) var skippedByteCount: Int64 = 0
  /// Where the last packet begins, with its header.
  private(set) var frameOffset: Int64 = 0
  private(set) var hasContinuations = false
  private(set) var isCutAtEnd = false
  private(set) var gaveUp = false
  /// What is neither a packet nor a frame without sound.
  private(set) var unread = UnreadRanges()
  private(set) var hasOtherFrames = false
  /// Why the last packet does not follow the one before it by its number, although nothing is between them; nil if it
  /// does.
  private(set) var discontinuity: String?
  /// The last frame, with its header.
  private var last: (frame: BareFrame, offset: Int64)?
  private let isAtStart: Bool

  /// - Parameter isAtStart: Whether the range begins with the first frame of the stream.
  init(_ bytes: BufferedBytes, range: Range<Int64>, syntax: any BareFrameSyntax, isAtStart: Bool = true) {
    self.bytes = bytes
    self.syntax = syntax
    self.isAtStart = isAtStart
    end = range.upperBound
    offset = range.lowerBound
  }

  /// The next packet; nil at the end.
  mutating func next() throws(DecodingError) -> Packet? {
    discontinuity = nil
    if found == nil {
      try find()
      while let frame = found, try isRepeated(frame) {
        discontinuity = "a frame comes twice"
        unread.add(offset..<offset + Int64(frame.byteCount))
        offset += Int64(frame.byteCount)
        found = nil
        try find()
      }
    }
    guard let frame = found else { return nil }
    if let lost = lostFrameCount(before: frame) {
      if skippedByteCount == 0 { discontinuity = "\(lost) frames are missing" }
      let count = min(lost, Self.frameCountOfSilence)
      nextFrame = (nextFrame ?? 0) + count
      return Packet(range: offset..<offset, frameCount: Int(count), isLost: skippedByteCount == 0)
    }
    found = nil
    last = (frame, offset)
    frameOffset = offset
    offset += Int64(frame.byteCount)
    guard try addContinuations() else { return nil }
    nextFrame = frame.firstFrame.map { $0 + Int64(frame.frameCount ?? 0) }
    return Packet(range: frameOffset + Int64(frame.headerByteCount)..<offset, frameCount: frame.frameCount)
  }

  /// Goes to the next frame that begins a packet.
  private mutating func find() throws(DecodingError) {
    skippedByteCount = 0
    while offset < end {
      if let frame = syntax.frame(try bytes.copy(at: offset, count: syntax.headByteCount)),
        try isFollowed(offset + Int64(frame.byteCount))
      {
        guard fits(frame) else { return }
        if frame.role == .packet {
          found = frame
          return
        }
        hasOtherFrames = true
        if frame.byteCount > Self.mostBytesWithoutSound { unread.add(offset..<offset + Int64(frame.byteCount)) }
        offset += Int64(frame.byteCount)
        continue
      }
      let distance = try bytes.byteCountToSync(
        from: offset + 1, before: end, limit: BufferedBytes.resyncLimit - skippedByteCount
      ) { syntax.canBegin(with: $0) }
      skippedByteCount += 1 + distance
      unread.add(offset..<min(end, offset + 1 + distance))
      offset += 1 + distance
      if skippedByteCount > BufferedBytes.resyncLimit {
        gaveUp = true
        if offset < end { unread.add(offset..<end) }
        offset = end
      }
    }
  }

  /// Adds the frames that belong to the last one; false if the file ends in them.
  private mutating func addContinuations() throws(DecodingError) -> Bool {
    while offset < end, let frame = syntax.frame(try bytes.copy(at: offset, count: syntax.headByteCount)),
      frame.role == .continuation, offset + Int64(frame.byteCount) - frameOffset <= Packet.maximumByteCount
    {
      guard fits(frame) else { return false }
      hasContinuations = true
      offset += Int64(frame.byteCount)
    }
    return true
  }

  /// Whether the file has all of a frame; else this is the end.
  private mutating func fits(_ frame: BareFrame) -> Bool {
    guard offset + Int64(frame.byteCount) > end else { return true }
    isCutAtEnd = true
    offset = end
    return false
  }

  /// In the middle of junk, the header behind a frame shows that it is one.
  private func isFollowed(_ next: Int64) throws(DecodingError) -> Bool {
    guard skippedByteCount > 0, next < end else { return true }
    return syntax.frame(try bytes.copy(at: next, count: syntax.headByteCount)) != nil
  }

  /// How many frames damage has taken, by the number of the frame behind it.
  private func lostFrameCount(before frame: BareFrame) -> Int64? {
    guard let first = frame.firstFrame, let nextFrame = nextFrame ?? (isAtStart && last == nil ? 0 : nil),
      first > nextFrame
    else { return nil }
    let rate = Int64(max(1, syntax.codec.sampleRateInHz))
    let greatest =
      skippedByteCount > 0
      ? skippedByteCount * Self.frameCountPerLostByte
      : (last == nil ? Self.longestLostStartSeconds : Self.longestGapSeconds) * rate
    return first - nextFrame <= greatest ? first - nextFrame : nil
  }

  /// Whether a frame is the same as the one before it, byte for byte.
  private func isRepeated(_ frame: BareFrame) throws(DecodingError) -> Bool {
    guard let last, let first = frame.firstFrame, last.frame.firstFrame == first,
      last.frame.byteCount == frame.byteCount, skippedByteCount == 0
    else { return false }
    let earlier = try bytes.file.bytes(at: last.offset, count: frame.byteCount)
    return try bytes.file.bytes(at: offset, count: frame.byteCount) == earlier
  }
}

/// Gives the packets of a bare stream in order.
final class BareFrameReader: PacketReader {
  let bytes: BufferedBytes
  private let frames: BareFrames
  private var scanner: BareFrameScanner
  private var number: Int64 = 0

  init(_ bytes: BufferedBytes, frames: BareFrames) {
    self.bytes = bytes
    self.frames = frames
    scanner = BareFrameScanner(bytes, range: frames.range, syntax: frames.syntax)
  }

  func next() throws(DecodingError) -> Packet? {
    guard let packet = try scanner.next() else { return nil }
    number += 1
    return packet
  }

  func go(toPacket target: Int64) throws(DecodingError) {
    if let entry = frames.index.entry(atOrBefore: target), number > target || entry.position > number {
      let rest = entry.value..<frames.range.upperBound
      scanner = BareFrameScanner(bytes, range: rest, syntax: frames.syntax, isAtStart: false)
      number = entry.position
    }
    while number < target { guard try next() != nil else { return } }
  }
}
