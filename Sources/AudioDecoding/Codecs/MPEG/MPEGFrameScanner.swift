/// Walks the frames of an MPEG audio stream by their headers, without decoding.
///
/// In step, a frame follows directly on the last one. Out of step (at the start and after junk) a header counts only
/// if its frame is followed by a second one, or ends exactly where the stream does. Tags between frames, as in joined
/// files, are not junk.
struct MPEGFrameScanner {
  static let maximumFrameByteCount = 2881
  private static let maximumFreeFormatByteCount = 8 * 1024
  /// Behind the first frame, if that does not begin the stream.
  private static let provingFrameCount = 8

  struct Frame {
    let offset: Int64
    let byteCount: Int
    let header: MPEGFrameHeader
  }

  private let bytes: BufferedBytes
  private let end: Int64
  private(set) var position: Int64
  private var isInStep = false
  private var reference: MPEGFrameHeader?
  /// Length of a free-format frame without its padding.
  private(set) var freeFormatByteCount: Int?
  /// Bytes of junk that were skipped just before the last frame.
  private(set) var skippedByteCount: Int64 = 0
  /// The stream ended inside a frame.
  private(set) var isCutAtEnd = false
  /// The search was given up after ``BufferedBytes/resyncLimit`` bytes.
  private(set) var gaveUp = false

  init(_ bytes: BufferedBytes, range: Range<Int64>) {
    self.bytes = bytes
    position = range.lowerBound
    end = min(range.upperBound, bytes.byteCount)
  }

  /// Continues in a stream at the offset of one of its frames.
  init(_ bytes: BufferedBytes, range: Range<Int64>, stream: MPEGLayout) {
    self.init(bytes, range: range)
    isInStep = true
    reference = stream.firstHeader
    freeFormatByteCount = stream.freeFormatByteCount
  }

  /// The next frame; nil at the end of the stream.
  mutating func next() throws(DecodingError) -> Frame? {
    skippedByteCount = 0
    var tagCount = 0
    while position + 4 <= end, skippedByteCount <= BufferedBytes.resyncLimit {
      if let frame = try frameHere() {
        position += Int64(frame.byteCount)
        isInStep = true
        reference = frame.header
        return frame
      }
      if isCutAtEnd { return nil }
      if tagCount < 10_000, let length = try tagLengthHere() {
        tagCount += 1
        position = min(end, position + length)
        continue
      }
      isInStep = false
      try skipToNextSync()
    }
    if position + 4 <= end { gaveUp = true } else { skippedByteCount += max(0, end - position) }
    return nil
  }

  private func header(at offset: Int64) throws(DecodingError) -> MPEGFrameHeader? {
    guard offset + 4 <= end else { return nil }
    return try bytes.bigEndian(UInt32.self, at: offset).flatMap { MPEGFrameHeader($0) }
  }

  private mutating func frameHere() throws(DecodingError) -> Frame? {
    guard let header = try header(at: position) else { return nil }
    let continues = reference.map { header.continues($0) } ?? false
    let knownByteCount: Int?
    if let count = header.byteCount {
      knownByteCount = count
    } else if continues, let base = freeFormatByteCount {
      knownByteCount = base + header.paddingByteCount
    } else {
      knownByteCount = try freeFormatLength(header)
    }
    guard let byteCount = knownByteCount, byteCount > 4 else { return nil }
    let frameEnd = position + Int64(byteCount)
    if isInStep && continues {
      guard frameEnd <= end else {
        isCutAtEnd = true
        return nil
      }
    } else {
      guard frameEnd <= end else { return nil }
      guard try isConfirmed(header, endingAt: frameEnd) else { return nil }
    }
    return Frame(offset: position, byteCount: byteCount, header: header)
  }

  /// Whether what follows a frame shows that it is one.
  private func isConfirmed(_ first: MPEGFrameHeader, endingAt frameEnd: Int64) throws(DecodingError) -> Bool {
    // A byte order mark of UTF-16 looks like a header of layer I, so layer I counts only at the start of a stream.
    if first.layer == 1, reference == nil, skippedByteCount > 0 { return false }
    if frameEnd == end { return true }
    if reference == nil, skippedByteCount > 0 {
      // Noise looks like a free format, whose frames may have any length.
      guard first.byteCount != nil else { return false }
      return try isFollowed(first, from: frameEnd, frameCount: Self.provingFrameCount)
    }
    if let second = try header(at: frameEnd) {
      guard second.continues(first) else { return false }
      // After junk a third header is required, because noise looks like a header every few thousand bytes.
      guard reference != nil || skippedByteCount > 0, let count = second.byteCount else { return true }
      let secondEnd = frameEnd + Int64(count)
      return secondEnd + 4 > end ? true : try header(at: secondEnd)?.continues(first) ?? false
    }
    if reference == nil && end - frameEnd < 4 { return true }
    return try TagBounds.leadingTagLength(bytes, at: frameEnd) != nil
  }

  /// Whether so many frames follow one, or all that there are up to the end or a tag: in soft noise every other byte may be
  /// that of a header.
  private func isFollowed(
    _ first: MPEGFrameHeader, from start: Int64, frameCount: Int
  ) throws(DecodingError) -> Bool {
    var place = start
    for _ in 0..<frameCount where place + 4 <= end {
      guard let next = try header(at: place), next.continues(first), let byteCount = next.byteCount else {
        return try TagBounds.leadingTagLength(bytes, at: place) != nil
      }
      place += Int64(byteCount)
    }
    return true
  }

  /// Finds the length of a free-format frame by the next two headers like it.
  private mutating func freeFormatLength(_ header: MPEGFrameHeader) throws(DecodingError) -> Int? {
    let limit = end - position
    let base = try bytes.withBytes(at: position, count: Self.maximumFreeFormatByteCount * 2) {
      Self.freeFormatLength(header, in: $0, limit: limit)
    }
    guard let base else { return nil }
    freeFormatByteCount = base
    return base + header.paddingByteCount
  }

  /// The same without its padding.
  private static func freeFormatLength(
    _ header: MPEGFrameHeader, in view: UnsafeRawBufferPointer, limit end: Int64
  ) -> Int? {
    let limit = min(Int64(view.count), end)
    var distance = 32
    while distance + 4 <= min(limit, Int64(maximumFreeFormatByteCount)) {
      defer { distance += 1 }
      guard view[distance] == 0xFF, let word = view.bigEndian(UInt32.self, at: distance),
        let second = MPEGFrameHeader(word), second.continues(header)
      else { continue }
      let base = distance - header.paddingByteCount
      let third = distance + base + second.paddingByteCount
      if Int64(third) == limit { return base }
      guard let thirdWord = view.bigEndian(UInt32.self, at: third), let thirdHeader = MPEGFrameHeader(thirdWord),
        thirdHeader.continues(header)
      else { continue }
      return base
    }
    return nil
  }

  private func tagLengthHere() throws(DecodingError) -> Int64? {
    if let length = try TagBounds.leadingTagLength(bytes, at: position), position + length <= end { return length }
    if position + 128 <= end, try bytes.matches("TAG", at: position) {
      let isFollowedByFrame = try header(at: position + 128) != nil
      let isFollowedByTag = try bytes.matches("ID3", at: position + 128)
      if isFollowedByFrame || isFollowedByTag { return 128 }
    }
    return nil
  }

  /// Goes to the next byte that can begin a frame or a tag ("ID3", "APETAGEX", "TAG").
  private mutating func skipToNextSync() throws(DecodingError) {
    let skipped = try bytes.byteCountToSync(
      from: position + 1, before: end, limit: BufferedBytes.resyncLimit - skippedByteCount - 1
    ) { $0 == 0xFF || $0 == 0x49 || $0 == 0x41 || $0 == 0x54 }
    position += 1 + skipped
    skippedByteCount += 1 + skipped
  }
}
