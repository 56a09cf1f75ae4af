import MediaModel

/// Looks for what a file holds besides the stream that is decoded, its tags, and the structure of its container.
///
/// A format goes through the structure of its container and calls ``leave(_:)`` for bytes of which nothing is known;
/// walks over frames and pages note what they pass over themselves (``UnreadRanges``). Nothing here changes what is
/// decoded or hashed. What is looked at in each format is in docs/decisions/0088.
struct FileAccount {
  /// Changes from byte to byte that are still no content: the rest of a frame, a line feed, a fill of another value.
  private static let mostChangeCount = 64
  /// Sound that a header may cut off, as the delay of an encoder.
  private static let mostTrimmedSeconds = 1.0
  private static let maximumTagCount = 10_000

  let bytes: BufferedBytes
  private var hasOtherStreams = false
  private var changeCount = 0

  init(_ bytes: BufferedBytes) { self.bytes = bytes }

  /// ``ContentNote`` of a file whose stream was found.
  ///
  /// - Parameter report: calls what its format and its stream have to report.
  static func notes(
    _ bytes: BufferedBytes, _ report: (inout FileAccount) throws(DecodingError) -> Void
  ) throws(DecodingError) -> [String] {
    var account = FileAccount(bytes)
    try account.addTags()
    try report(&account)
    return (account.hasOtherStreams ? [ContentNote.otherStreams] : [])
      + (account.hasSurplus ? [ContentNote.surplus] : [])
  }

  private var hasSurplus: Bool { changeCount > Self.mostChangeCount }

  // MARK: - What formats report

  mutating func noteOtherStream() { hasOtherStreams = true }

  /// For content whose bytes are known to be no padding, or to be unreadable.
  mutating func noteSurplus() { changeCount = Self.mostChangeCount + 1 }

  /// Counts bytes that belong to nothing, unless they are tags, or padding with one value.
  mutating func leave(_ range: Range<Int64>) throws(DecodingError) {
    guard !hasSurplus, range.lowerBound < min(range.upperBound, bytes.byteCount) else { return }
    var start = range.lowerBound
    let end = try TagBounds.end(of: bytes, from: start, before: min(range.upperBound, bytes.byteCount))
    for _ in 0..<Self.maximumTagCount {
      guard let length = try tagLength(at: start), start + length <= end else { break }
      try addTag(start..<start + length)
      start += length
    }
    try addTags(in: end..<min(range.upperBound, bytes.byteCount))
    try count(start..<end)
  }

  mutating func leave(_ unread: UnreadRanges) throws(DecodingError) {
    for range in unread.ranges { try leave(range) }
  }

  /// Takes over what was found in a stream that is read as a file of its own.
  mutating func add(_ inner: FileAccount) {
    if inner.hasOtherStreams { noteOtherStream() }
    if inner.hasSurplus { noteSurplus() }
  }

  /// Compares the frames of a decode with those that are heard of it.
  mutating func compare(frameCount: Int64, ofDecoded decodedCount: Int64, sampleRateInHz rate: Int) {
    if Double(decodedCount - frameCount) > Self.mostTrimmedSeconds * Double(max(1, rate)) { noteSurplus() }
  }

  private func tagLength(at offset: Int64) throws(DecodingError) -> Int64? {
    if let length = try TagBounds.leadingTagLength(bytes, at: offset) { return length }
    return try bytes.matches("TAG", at: offset) ? 128 : nil
  }

  /// Counts how often a byte is another one than the byte before.
  private mutating func count(_ range: Range<Int64>) throws(DecodingError) {
    var offset = range.lowerBound
    // Padding of any value has no change.
    var last: UInt8?
    while offset < range.upperBound, !hasSurplus {
      let size = Int(min(Int64(BufferedBytes.bufferSize), range.upperBound - offset))
      var found = 0
      try bytes.withBytes(at: offset, count: size) { piece in
        for byte in piece {
          if let last, last != byte { found += 1 }
          last = byte
        }
      }
      changeCount += found
      offset += Int64(size)
    }
  }

  // MARK: - Tags

  /// The tags around the file: what they have behind their last field must be padding.
  private mutating func addTags() throws(DecodingError) {
    let audio = try TagBounds(bytes).audio
    try addTags(in: 0..<audio.lowerBound)
    try addTags(in: audio.upperBound..<bytes.byteCount)
  }

  private mutating func addTags(in range: Range<Int64>) throws(DecodingError) {
    var offset = range.lowerBound
    for _ in 0..<Self.maximumTagCount where offset < range.upperBound {
      guard let length = try TagBounds.leadingTagLength(bytes, at: offset) else { return }
      try addTag(offset..<min(range.upperBound, offset + length))
      offset += length
    }
  }

  /// Goes through the frames of an ID3v2 tag (id3.org, ID3v2.3.0 section 3.3); other tags are texts throughout.
  private mutating func addTag(_ range: Range<Int64>) throws(DecodingError) {
    let head = try bytes.copy(at: range.lowerBound, count: 10)
    guard TagBounds.id3v2Length(head) != nil else { return }
    let version = head[3]
    // With unsynchronisation or an extended header, lengths mean something else.
    guard (2...4).contains(version), head[5] & (version == 4 ? 0x40 : 0xC0) == 0 else { return }
    let end = range.upperBound - (head[5] & 0x10 != 0 ? 10 : 0)
    let (nameCount, headCount) = version == 2 ? (3, 6) : (4, 10)
    var offset = range.lowerBound + 10
    while offset + Int64(headCount) <= end {
      let frame = try bytes.copy(at: offset, count: headCount)
      guard frame.prefix(nameCount).allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else {
        break
      }
      let digits = frame[nameCount..<(version == 2 ? 6 : 8)]
      let plain = digits.reduce(Int64(0)) { $0 << 8 | Int64($1) }
      let safe = digits.reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      // iTunes wrote plain lengths into version 2.4.
      var next = offset + Int64(headCount) + (version == 4 ? safe : plain)
      let byPlain = offset + 10 + plain
      if version == 4, safe != plain, try !isFrame(at: next, before: end), try isFrame(at: byPlain, before: end) {
        next = byPlain
      }
      guard next <= end else { break }
      offset = next
    }
    if offset < end { try count(offset..<end) }
  }

  private func isFrame(at offset: Int64, before end: Int64) throws(DecodingError) -> Bool {
    if offset == end { return true }
    guard offset < end else { return false }
    let name = try bytes.copy(at: offset, count: 4)
    return name.allSatisfy { $0 == 0 }
      || name.count == 4 && name.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }
}

/// Ranges of a file that a walk over its frames or pages passed over, in ascending order.
struct UnreadRanges: Hashable {
  private static let maximumCount = 1_000

  private(set) var ranges: [Range<Int64>] = []

  /// Adds a range behind all others. If there are too many, the last one grows over what is between them.
  mutating func add(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    if let last = ranges.last, last.upperBound == range.lowerBound || ranges.count == Self.maximumCount {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }
}
