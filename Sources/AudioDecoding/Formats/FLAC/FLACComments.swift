internal import Base

/// The comments and pictures of a FLAC file (RFC 9639 sections 8.6 and 8.8), also if its blocks do not follow each other
/// as their lengths say.
///
/// Comments and pictures have lengths of their own, which count if that of their block does not lead to another block or to
/// a frame.
struct FLACComments {
  private static let maximumByteCount = 17 << 20
  private static let maximumBlockCount = 10_000

  /// Of the first block with a named one, or else of the first block; nil if there is none.
  private(set) var comments: RawTag?
  /// The bodies of blocks with pictures.
  private(set) var pictures: [Range<Int64>] = []
  /// Whether a block has another length than it says.
  private(set) var isOdd = false

  private let bytes: BufferedBytes
  private let start: Int64
  private let end: Int64

  init(_ bytes: BufferedBytes) throws(DecodingError) {
    self.bytes = bytes
    let audio = try FLACStart.range(bytes)
    (start, end) = (audio.lowerBound, audio.upperBound)
    guard try bytes.matches("fLaC", at: start) else { return }
    let isWhole = try walk()
    guard !isWhole || !hasNamed && isOdd else { return }
    isOdd = true
    if !hasNamed, let place = try search() { comments = try VorbisCommentReader.tag(bytes, place..<end) }
  }

  /// The content of a picture block.
  func picture(_ block: Range<Int64>) throws(DecodingError) -> [UInt8] {
    let count = min(block.upperBound - block.lowerBound, Int64(TagLimits.maximumPictureByteCount + 8192))
    return try bytes.file.bytes(at: block.lowerBound, count: Int(count))
  }

  private var hasNamed: Bool { comments?.items.contains(where: VorbisCommentReader.isNamed) ?? false }

  /// - Returns: whether the blocks lead to the frames.
  private mutating func walk() throws(DecodingError) -> Bool {
    var offset = start + 4
    for _ in 0..<Self.maximumBlockCount {
      guard let word = try bytes.bigEndian(UInt32.self, at: offset), word >> 24 & 0x7F != 0x7F else { return false }
      let (type, isLast, body) = (word >> 24 & 0x7F, word >> 31 == 1, offset + 4)
      let claimed = body + Int64(word & 0xFF_FFFF)
      var next = claimed
      let leads = try isPlace(claimed, afterLast: isLast)
      if type == 4, !hasNamed {
        var tag = try VorbisCommentReader.tag(bytes, body..<min(claimed, end))
        if tag.isOdd || tag.items.isEmpty, !leads {
          let own = try VorbisCommentReader.tag(bytes, body..<end)
          if !own.isOdd { tag = own }
        }
        if !leads, try isPlace(tag.range.upperBound, afterLast: isLast) { next = tag.range.upperBound }
        if tag.range.upperBound > claimed || !tag.items.isEmpty && !leads { isOdd = true }
        if comments == nil || tag.items.contains(where: VorbisCommentReader.isNamed) { comments = tag }
      } else if type == 6 {
        if !leads, let own = try pictureEnd(body), try isPlace(own, afterLast: isLast) { next = own }
        if pictures.count <= TagLimits.maximumPictureCount { pictures.append(body..<min(next, end)) }
      }
      if next != claimed { isOdd = true }
      if isLast { return leads || next != claimed }
      guard next <= end else { return false }
      offset = next
    }
    return false
  }

  /// Whether a block can begin at `offset`, or a frame behind the last one. Only the first block is a STREAMINFO.
  private func isPlace(_ offset: Int64, afterLast isLast: Bool) throws(DecodingError) -> Bool {
    if offset == end { return true }
    guard let word = try bytes.bigEndian(UInt32.self, at: offset) else { return false }
    let isFrame = word >> 18 == 0xFFF8 >> 2
    return isLast
      ? isFrame : !isFrame && (1...6).contains(word >> 24 & 0x7F) && offset + 4 + Int64(word & 0xFF_FFFF) <= end
  }

  /// The end of a picture by the lengths in it; nil if they lead beyond the file.
  private func pictureEnd(_ body: Int64) throws(DecodingError) -> Int64? {
    var offset = body + 4
    for skipped in [Int64(0), 16, 0] {
      guard let count = try bytes.bigEndian(UInt32.self, at: offset) else { return nil }
      offset += 4 + Int64(count) + skipped
    }
    return offset <= end ? offset : nil
  }

  /// Where comments are if a length before them is wrong; nil if there are none.
  private func search() throws(DecodingError) -> Int64? {
    let first = start + 4
    let head = try bytes.file.bytes(at: first, count: Self.maximumByteCount)
    let place = head.indices.first { head[$0] & 0x7F == 4 && Self.isComments(head, at: $0 + 4) }
    return place.map { first + Int64($0) + 4 }
  }

  /// Whether the name of a program and at least one whole comment with a name are at `offset`.
  private static func isComments(_ bytes: [UInt8], at offset: Int) -> Bool {
    guard let vendor = bytes.littleEndian(UInt32.self, at: offset), vendor < 1024 else { return false }
    let listed = offset + 4 + Int(vendor)
    guard let count = bytes.littleEndian(UInt32.self, at: listed), (1...100_000).contains(count),
      let length = bytes.littleEndian(UInt32.self, at: listed + 4), length > 1,
      Int(length) <= bytes.count - listed - 8,
      String(validating: bytes[offset + 4..<listed], as: UTF8.self) != nil
    else { return false }
    let name = bytes[listed + 8..<listed + 8 + Int(length)].prefix { $0 != 0x3D }
    return name.count < min(Int(length), 257) && VorbisCommentReader.isName(name)
  }
}
