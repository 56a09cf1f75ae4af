internal import Base

/// ID3v2.2, 2.3 and 2.4 (id3.org: ID3v2.2.0, ID3v2.3.0, ID3v2.4.0-structure) as a list of raw frames.
///
/// Read is what other programs read of tags that break the standard: frames of length 0, lower-case or padded identifiers,
/// plain sizes in version 2.4, extended headers that are none or claim the size of another version, and frames that claim
/// more than there is, behind which the next known frame is searched.
package struct ID3v2Reader {
  /// Bits of the head of a tag.
  private enum Flag {
    static let unsynchronised: UInt8 = 0x80
    static let extended: UInt8 = 0x40
    static let footer: UInt8 = 0x10
  }

  private let bytes: BufferedBytes
  private let version: UInt8
  private let end: Int64
  private var tag: RawTag
  private var searchedByteCount = 0

  /// The tag that begins at `offset` and ends before `limit`, whatever its head claims; nil if there is none.
  package static func tag(_ file: BufferedBytes, at offset: Int64, before limit: Int64) throws(DecodingError) -> RawTag?
  {
    let head = try file.copy(at: offset, count: 10)
    guard let length = TagBounds.id3v2Length(head) else { return nil }
    let (version, flags) = (head[3], head[5])
    let end = min(limit, file.byteCount, offset + length)
    var tag = RawTag(.id3v2, file, offset..<max(offset, end))
    tag.version = version
    tag.flags = UInt32(flags)
    tag.isOdd = offset + length > min(limit, file.byteCount)
    guard (2...4).contains(version), !(version == 2 && flags & Flag.extended != 0) else {
      // A version to come, or the compression that 2.2 never defined.
      tag.isOdd = true
      return tag
    }
    let footer: Int64 = version == 4 && flags & Flag.footer != 0 ? 10 : 0
    let body = offset + 10..<max(offset + 10, end - footer)
    if version < 4, flags & Flag.unsynchronised != 0, let plain = try resynchronised(file, body) {
      let memory = BytesInMemory(plain).file
      var restored = RawTag(.id3v2, memory, tag.range)
      (restored.version, restored.flags, restored.isOdd, restored.isRestored) = (version, tag.flags, tag.isOdd, true)
      var reader = ID3v2Reader(restored, memory, end: memory.byteCount)
      try reader.read(from: 0)
      return reader.tag
    }
    var reader = ID3v2Reader(tag, file, end: body.upperBound)
    try reader.read(from: body.lowerBound)
    return reader.tag
  }

  /// Frames in a frame, such as those of a chapter.
  ///
  /// - Parameter version: of the tag.
  static func frames(_ bytes: [UInt8], version: UInt8) throws(DecodingError) -> RawTag {
    let memory = BytesInMemory(bytes).file
    var tag = RawTag(.id3v2, memory, 0..<memory.byteCount)
    (tag.version, tag.isRestored) = (version, true)
    var reader = ID3v2Reader(tag, memory, end: memory.byteCount)
    try reader.read(from: 0)
    return reader.tag
  }

  private init(_ tag: RawTag, _ bytes: BufferedBytes, end: Int64) {
    (self.tag, self.bytes, self.end, version) = (tag, bytes, end, tag.version)
  }

  /// nil if the bytes are not unsynchronised, whatever the tag says.
  private static func resynchronised(_ file: BufferedBytes, _ body: Range<Int64>) throws(DecodingError) -> [UInt8]? {
    let count = min(body.upperBound - body.lowerBound, TagLimits.maximumRestoredByteCount)
    return resynchronised(try file.file.bytes(at: body.lowerBound, count: Int(count)))
  }

  /// Without the zeros that were put behind bytes of 255 (ID3v2.4.0-structure, section 6.1); nil if there are bytes that
  /// they should have been put between.
  package static func resynchronised(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard let next = bytes[index...].firstIndex(of: 0xFF) else { break }
      result += bytes[index...next]
      index = next + 1
      guard index < bytes.count else { return result }
      if bytes[index] >= 0xE0 { return nil }
      if bytes[index] == 0 { index += 1 }
    }
    result += bytes[index...]
    return result
  }

  // MARK: Frames

  private var headByteCount: Int64 { version == 2 ? 6 : 10 }

  private mutating func read(from start: Int64) throws(DecodingError) {
    var offset = start
    if version > 2, tag.flags & UInt32(Flag.extended) != 0 { offset = try endOfExtendedHeader(at: start) }
    while offset + headByteCount <= end {
      let head = try bytes.copy(at: offset, count: Int(headByteCount))
      guard head.count == Int(headByteCount) else { break }
      if head[0] == 0 {
        // Padding, or what damage has left of the head of a frame.
        guard head.contains(where: { $0 != 0 }), let next = try search(from: offset + 1) else { break }
        tag.isOdd = true
        offset = next
        continue
      }
      let idByteCount = version == 2 ? 3 : 4
      let id = Array(head[..<idByteCount])
      let body = offset + headByteCount
      var next = try frameEnd(head, body: body)
      let isSized = next != nil
      var isCut = false
      if next == nil || !Self.isIdentifier(id) {
        tag.isOdd = true
        // Sound follows a tag that claims to be longer.
        let plain = plainEnd(head, body: body)
        let found = next == nil ? try search(from: ID3v2Names.isKnown(id) ? body : offset + 1) : nil
        isCut = next == nil && plain == nil && found == nil
        next = next ?? found ?? plain
      }
      let frameEnd = next ?? end
      if version == 4, body + Self.safeSize(head) != frameEnd { tag.isOdd = true }
      if isSized || Self.isIdentifier(id) {
        if frameEnd == body || !Self.isUsual(id) { tag.isOdd = true }
        let flags = version == 2 ? 0 : UInt32(head[8]) << 8 | UInt32(head[9])
        let frame = RawTag.Item(
          name: id, flags: flags, range: offset..<frameEnd, body: min(body, frameEnd)..<frameEnd, isCut: isCut)
        guard tag.add(frame) else { return }
      }
      offset = frameEnd
    }
  }

  /// Where a frame ends whose size leads to another one, to padding or to the end of the tag; nil if none does.
  private func frameEnd(_ head: [UInt8], body: Int64) throws(DecodingError) -> Int64? {
    let sizes: [Int64]
    if version == 2 {
      sizes = [head[3..<6].reduce(0) { $0 << 8 | Int64($1) }]
    } else {
      let plain = Int64(head.bigEndian(UInt32.self, at: 4) ?? 0)
      let safe = Self.safeSize(head)
      // Some programs write plain sizes in version 2.4, and others synchsafe ones in 2.3.
      let isSafe = head[4..<8].allSatisfy { $0 < 0x80 }
      sizes = !isSafe || plain == safe ? [plain] : version == 4 ? [safe, plain] : [plain, safe]
    }
    for size in sizes where body + size <= end {
      if try isPlace(body + size) { return body + size }
      if try isOddFrame(body + size) { return body + size }
    }
    return nil
  }

  /// Whether something with an impossible identifier is at `offset` whose size leads to a frame, to padding or to the end.
  private func isOddFrame(_ offset: Int64) throws(DecodingError) -> Bool {
    let head = try bytes.copy(at: offset, count: Int(headByteCount))
    guard head.count == Int(headByteCount), head[..<3].allSatisfy({ $0 > 0x20 }),
      let next = plainEnd(head, body: offset + headByteCount)
    else { return false }
    return try isPlace(next)
  }

  /// Where a frame ends by its size alone; nil if the tag ends before.
  private func plainEnd(_ head: [UInt8], body: Int64) -> Int64? {
    let size =
      version == 2
      ? head[3..<6].reduce(0) { $0 << 8 | Int64($1) }
      : version == 4 ? Self.safeSize(head) : Int64(head.bigEndian(UInt32.self, at: 4) ?? 0)
    return body + size <= end ? body + size : nil
  }

  /// 28 bits in four bytes.
  private static func safeSize(_ head: [UInt8]) -> Int64 { head[4..<8].reduce(0) { $0 << 7 | Int64($1) } }

  /// Whether a frame, padding or the end of the tag is at `offset`.
  private func isPlace(_ offset: Int64) throws(DecodingError) -> Bool {
    if offset + headByteCount > end { return true }
    let head = try bytes.copy(at: offset, count: Int(headByteCount))
    // The file may have become shorter.
    guard head.count == Int(headByteCount) else { return true }
    if head[0] == 0 { return head.allSatisfy { $0 == 0 } }
    let id = Array(head[..<(version == 2 ? 3 : 4)])
    return Self.isUsual(id) || ID3v2Names.isKnown(id)
  }

  /// Where the next frame is whose identifier is known and whose size is possible; nil if there is none.
  private mutating func search(from start: Int64) throws(DecodingError) -> Int64? {
    var offset = start
    while offset + headByteCount <= end, searchedByteCount < RawTag.maximumSearchByteCount {
      let count = Int(min(end - offset, 1 << 14))
      let window = try bytes.copy(at: offset, count: count)
      guard window.count >= Int(headByteCount) else { return nil }
      let last = window.count - Int(headByteCount)
      for index in 0...last where (0x41...0x5A).contains(window[index]) && (0x41...0x5A).contains(window[index + 1]) {
        let head = Array(window[index..<index + Int(headByteCount)])
        guard ID3v2Names.isKnown(Array(head[..<(version == 2 ? 3 : 4)])) else { continue }
        let found = offset + Int64(index)
        if try frameEnd(head, body: found + headByteCount) != nil { return found }
      }
      searchedByteCount += last + 1
      offset += Int64(last + 1)
    }
    return nil
  }

  /// Letters and digits, perhaps padded with blanks or zeros.
  private static func isIdentifier(_ id: [UInt8]) -> Bool {
    let name = id.last == 0 || id.last == 0x20 ? id.dropLast() : id[...]
    return name.count >= 3
      && name.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) || (0x30...0x39).contains($0) }
  }

  private static func isUsual(_ id: [UInt8]) -> Bool {
    id.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
  }

  // MARK: Extended header

  /// The end of the extended header whose size leads to a frame, to padding or to the end; that is where it begins if it is
  /// none.
  private mutating func endOfExtendedHeader(at start: Int64) throws(DecodingError) -> Int64 {
    let head = try bytes.copy(at: start, count: 4)
    guard let plain = head.bigEndian(UInt32.self, at: 0) else { return start }
    let safe = head.reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
    // The size counts itself in version 2.4 only, and is synchsafe there.
    let sizes = version == 4 ? [safe, Int64(plain) + 4, safe + 4] : [Int64(plain) + 4, Int64(plain), safe]
    let id = Array(head)
    if !(Self.isUsual(id) && ID3v2Names.isKnown(id)) {
      for (index, size) in sizes.enumerated() where size >= 6 && start + size <= end {
        if try isPlace(start + size) {
          if index > 0 { tag.isOdd = true }
          return start + size
        }
      }
    }
    tag.isOdd = true
    return start
  }
}

extension RawTag {
  /// The content of an ID3v2 frame: decompressed, resynchronised, without the numbers that its flags put before it; nil if
  /// it is encrypted or cannot be decompressed.
  ///
  /// - Parameter limit: of bytes that are read of it.
  package func content(ofFrame frame: Item, limit: Int) throws(DecodingError) -> [UInt8]? {
    let isLatest = version == 4
    let isGrouped = frame.flags & (isLatest ? 0x40 : 0x20) != 0
    let isCompressed = frame.flags & (isLatest ? 0x08 : 0x80) != 0
    let isEncrypted = frame.flags & (isLatest ? 0x04 : 0x40) != 0
    let hasLength = isLatest ? frame.flags & 0x01 != 0 : isCompressed
    let isUnsynchronised = isLatest && (frame.flags & 0x02 != 0 || flags & 0x80 != 0)
    if isEncrypted { return nil }
    var content = try body(frame, limit: limit)[...]
    if isUnsynchronised { content = (ID3v2Reader.resynchronised(Array(content)) ?? Array(content))[...] }
    // In the order of the flags; 2.3 has the length first.
    if isLatest, isGrouped { content = content.dropFirst() }
    let whole = content
    if hasLength { content = content.dropFirst(4) }
    if !isLatest, isGrouped { content = content.dropFirst() }
    guard isCompressed else { return Array(content) }
    // The length is left out by some.
    for compressed in [content, whole] {
      if let inflated = compressed.withUnsafeBytes({ Zlib.inflated($0, limit: limit) }) { return inflated }
    }
    return nil
  }
}
