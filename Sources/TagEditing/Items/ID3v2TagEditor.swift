import AudioDecoding

/// Changes an ID3v2 tag where it is: its padding gives way as far as there is some, so that the sound behind it stays in its
/// place.
struct ID3v2TagEditor {
  /// What a tag gets if it has to grow.
  static let newPaddingByteCount = 2048
  /// New tags have several values and whole dates in a standard way, which older versions have not.
  static let newVersion: UInt8 = 4

  private static let headByteCount: Int64 = 10

  let tag: RawTag
  let allowsLatin1: Bool
  /// The file itself; ``RawTag/bytes`` are others if the tag is unsynchronised.
  private let file: BufferedBytes

  init(_ tag: RawTag, of file: BufferedBytes, allowsLatin1: Bool) throws(TagEditRefusal) {
    (self.file, self.allowsLatin1) = (file, allowsLatin1)
    guard (2...4).contains(tag.version) else { throw .unsafe("an ID3v2 tag of version 2.\(tag.version)") }
    // Of version 2.2 that is a compression that was never defined.
    if tag.version == 2, tag.flags & 0x40 != 0 { throw .unsafe("the ID3v2 tag is compressed") }
    var tag = tag
    // What is odd about frames whose places are certain, such as an empty one, stays as it is.
    if tag.isOdd, try Self.isSeamless(tag, file) { tag.isOdd = false }
    guard !tag.isOdd else { throw .malformed("the ID3v2 tag has a frame with an impossible length or name") }
    self.tag = tag
    try checkExtendedHeader()
  }

  // MARK: Places

  /// Bytes of the frames and what surrounds them, between the head and the footer.
  private static func body(_ tag: RawTag) -> Range<Int64> {
    if tag.isRestored { return 0..<tag.bytes.byteCount }
    let footer = tag.version == 4 && tag.flags & 0x10 != 0 ? headByteCount : 0
    let start = tag.range.lowerBound + headByteCount
    return start..<max(start, tag.range.upperBound - footer)
  }

  private static func bytes(_ tag: RawTag, _ range: Range<Int64>) throws(TagEditRefusal) -> [UInt8] {
    let bytes = try reading { () throws(DecodingError) in
      try tag.bytes.file.bytes(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
    }
    guard bytes.count == Int(range.upperBound - range.lowerBound) else { throw .malformed("the tag is truncated") }
    return bytes
  }

  /// Whether the tag is as long as it says, and its frames follow each other as their own lengths say.
  private static func isSeamless(_ tag: RawTag, _ file: BufferedBytes) throws(TagEditRefusal) -> Bool {
    let head = try reading { () throws(DecodingError) in try file.copy(at: tag.range.lowerBound, count: 10) }
    let body = body(tag)
    guard head.count == 10, TagBounds.id3v2Length(head) == tag.range.upperBound - tag.range.lowerBound,
      tag.flags & 0x40 != 0 || tag.items.first?.range.lowerBound ?? body.lowerBound == body.lowerBound
    else { return false }
    var place = tag.items.first?.range.lowerBound ?? body.lowerBound
    for item in tag.items {
      let head = try bytes(tag, item.range.lowerBound..<item.body.lowerBound)
      guard head.count >= (tag.version == 2 ? 6 : 10) else { return false }
      let size: Int64 =
        switch tag.version {
        case 2: head[3...].reduce(0) { $0 << 8 | Int64($1) }
        case 3: head[4..<8].reduce(0) { $0 << 8 | Int64($1) }
        default: head[4..<8].reduce(0) { $0 << 7 | Int64($1) }
        }
      guard item.range.lowerBound == place, !item.isCut, item.body.upperBound - item.body.lowerBound == size else {
        return false
      }
      place = item.range.upperBound
    }
    return true
  }

  /// An extended header stays as it is; one that would be wrong after an edit is refused.
  private func checkExtendedHeader() throws(TagEditRefusal) {
    guard tag.flags & 0x40 != 0 else { return }
    let body = Self.body(tag)
    let start = tag.items.first?.range.lowerBound ?? body.lowerBound
    let bytes = try Self.bytes(tag, body.lowerBound..<start)
    if tag.version == 4 {
      // Its size, the number of bytes with flags, and these: a checksum is 0x20, restrictions of what may be in the tag are 0x10.
      guard bytes.count >= 6, bytes[..<4].reduce(0, { $0 << 7 | Int($1) }) == bytes.count, bytes[4] == 1 else {
        throw .malformed("the extended header of the ID3v2 tag")
      }
      if bytes[5] & 0x30 != 0 { throw .unsafe("the ID3v2 tag has a checksum, or restrictions") }
    } else {
      // Its size without these four bytes, flags, and the length of the padding: a checksum is 0x8000.
      guard bytes.count >= 10, bytes.bigEndian(UInt32.self, at: 0).map({ Int($0) + 4 }) == bytes.count else {
        throw .malformed("the extended header of the ID3v2 tag")
      }
      if bytes[4] & 0x80 != 0 { throw .unsafe("the ID3v2 tag has a checksum") }
    }
  }

  // MARK: Splices

  /// - Parameter adds: whether to add what the tag does not have.
  func splices(_ edit: TagEdit, adds: Bool) throws(TagEditRefusal) -> [Splice] {
    let body = Self.body(tag)
    let framesEnd = tag.items.last?.range.upperBound ?? body.lowerBound
    let padding = try Self.bytes(tag, framesEnd..<body.upperBound)
    var list = try ItemList(tag, end: framesEnd)
    let writer = ID3v2Writer(tag: tag, allowsLatin1: allowsLatin1)
    try list.apply(edit, writer, adds: adds, except: ID3v2People.has)
    try ID3v2People(writer).apply(edit, to: &list, adds: adds)
    if list.splices.isEmpty { return [] }
    let growth = Int(list.growth)
    // Behind the frames there may be what nobody knows, and before a footer there is no padding.
    let canPad = padding.allSatisfy { $0 == 0 } && !(tag.version == 4 && tag.flags & 0x10 != 0)
    let left =
      !canPad ? padding.count : growth <= padding.count ? padding.count - growth : Self.newPaddingByteCount
    var splices = list.splices
    if left != padding.count { splices.append(Splice(framesEnd..<body.upperBound, [UInt8](repeating: 0, count: left))) }
    if tag.version == 3, tag.flags & 0x40 != 0, left != padding.count {
      splices.append(Splice(body.lowerBound + 6..<body.lowerBound + 10, UInt32(left).bigEndianBytes))
    }
    guard tag.isRestored else { return try splices + resized(by: splices.growth) }
    return try unsynchronised(splices)
  }

  /// The length of the tag, in its head and its footer.
  private func resized(by growth: Int64) throws(TagEditRefusal) -> [Splice] {
    guard growth != 0 else { return [] }
    let body = tag.isRestored ? tag.range.lowerBound + Self.headByteCount..<tag.range.upperBound : Self.body(tag)
    let size = body.upperBound - body.lowerBound + growth
    guard size < 1 << 28 else { throw .tooLong("an ID3v2 tag of more than 256 MiB") }
    let field = ID3v2Writer.synchsafe(UInt32(size))
    let place = tag.range.lowerBound + 6
    let head = Splice(place..<place + 4, field)
    guard body.upperBound < tag.range.upperBound else { return [head] }
    return [head, Splice(body.upperBound + 6..<body.upperBound + 10, field)]
  }

  /// The whole tag again, with zeros behind bytes of 255, as versions 2.2 and 2.3 have it.
  private func unsynchronised(_ splices: [Splice]) throws(TagEditRefusal) -> [Splice] {
    let plain = try Self.bytes(tag, 0..<tag.bytes.byteCount)
    let range = tag.range.lowerBound + Self.headByteCount..<tag.range.upperBound
    let old = try reading { () throws(DecodingError) in
      try file.file.bytes(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
    }
    guard ID3v2Writer.unsynchronised(plain) == old else {
      throw .unsafe("the ID3v2 tag is unsynchronised in an unusual way")
    }
    let new = ID3v2Writer.unsynchronised(splices.applied(to: plain))
    return try [Splice(range, new)] + resized(by: Int64(new.count - old.count))
  }

  /// A new tag; nil if there is nothing to write.
  static func tag(_ edit: TagEdit) throws(TagEditRefusal) -> [UInt8]? {
    let empty = Array("ID3".utf8) + [newVersion, 0, 0, 0, 0, 0, 0]
    let memory = BytesInMemory(empty).file
    let tag = try reading { () throws(DecodingError) in try ID3v2Reader.tag(memory, at: 0, before: headByteCount) }
    guard let tag else { return nil }
    let splices = try ID3v2TagEditor(tag, of: memory, allowsLatin1: false).splices(edit, adds: true)
    return splices.isEmpty ? nil : splices.applied(to: empty)
  }
}
