internal import Base

/// The comments of Vorbis, Opus, Speex and FLAC (xiph.org, Vorbis I specification, section 5; RFC 9639 section 8.6) as a
/// list of raw comments.
///
/// Comments have lengths of their own. If one leads beyond the end, the next comment is searched in what it takes.
package struct VorbisCommentReader {
  private let bytes: BufferedBytes
  private var tag: RawTag
  private var searchedByteCount = 0

  /// The comments in a range, or as much as the file has of them.
  ///
  /// - Parameter range: from the length of the program's name on.
  package static func tag(
    _ bytes: BufferedBytes, _ range: Range<Int64>, isRestored: Bool = false
  ) throws(DecodingError) -> RawTag {
    var reader = VorbisCommentReader(bytes, range)
    reader.tag.isRestored = isRestored
    try reader.read()
    return reader.tag
  }

  private init(_ bytes: BufferedBytes, _ range: Range<Int64>) {
    self.bytes = bytes
    tag = RawTag(.vorbisComments, bytes, range)
  }

  private mutating func read() throws(DecodingError) {
    let end = min(tag.range.upperBound, bytes.byteCount)
    var offset = tag.range.lowerBound
    guard let vendor = try number(at: offset), offset + 4 + vendor + 4 <= end,
      let count = try number(at: offset + 4 + vendor)
    else {
      tag.isOdd = true
      return
    }
    offset += 8 + vendor
    var left = count
    while left > 0, offset + 4 <= end, let length = try number(at: offset) {
      left -= 1
      let body = offset + 4
      var next = body + length
      if next > end {
        tag.isOdd = true
        next = try search(from: body, before: end) ?? end
      }
      let name = try bytes.copy(at: body, count: Int(min(next - body, 257))).prefix { $0 != UInt8(ascii: "=") }
      guard tag.add(RawTag.Item(name: Array(name), range: offset..<next, body: body..<next)) else { return }
      offset = next
    }
    if left > 0 { tag.isOdd = true }
    tag.range = tag.range.lowerBound..<max(tag.range.lowerBound, offset)
  }

  private func number(at offset: Int64) throws(DecodingError) -> Int64? {
    try bytes.copy(at: offset, count: 4).littleEndian(UInt32.self, at: 0).map { Int64($0) }
  }

  /// Where the next comment begins that has a name and ends before `end`.
  private mutating func search(from start: Int64, before end: Int64) throws(DecodingError) -> Int64? {
    var offset = start
    while offset + 6 <= end, searchedByteCount < RawTag.maximumSearchByteCount {
      let window = try bytes.copy(at: offset, count: Int(min(end - offset, 1 << 14)))
      guard window.count >= 6 else { return nil }
      for index in 0...window.count - 6 {
        guard let length = window.littleEndian(UInt32.self, at: index), length > 1,
          offset + Int64(index) + 4 + Int64(length) <= end
        else { continue }
        let name = window[(index + 4)...].prefix { $0 != UInt8(ascii: "=") }.prefix(257)
        if name.count < min(Int(length), 65), name.endIndex < window.endIndex, Self.isName(name) {
          return offset + Int64(index)
        }
      }
      searchedByteCount += window.count - 5
      offset += Int64(window.count - 5)
    }
    return nil
  }

  /// Whether an item is a comment with a name.
  package static func isNamed(_ item: RawTag.Item) -> Bool {
    item.body.upperBound - item.body.lowerBound > Int64(item.name.count) && isName(item.name[...])
  }

  package static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    !name.isEmpty && name.allSatisfy { (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }
  }
}

extension TagContents {
  /// What comments say, whose pictures are texts in base64.
  init(comments tag: RawTag) throws(DecodingError) {
    self.init()
    isOdd = tag.isOdd
    for item in tag.items {
      guard item.name.count <= 256 else {
        isTruncated = true
        continue
      }
      guard VorbisCommentReader.isNamed(item) else {
        isOdd = true
        continue
      }
      let name = String(decoding: item.name, as: UTF8.self).uppercased()
      let isPicture = name == "METADATA_BLOCK_PICTURE" || name == "COVERART"
      let limit = isPicture ? TagLimits.maximumPictureByteCount / 3 * 4 + 8192 : Self.maximumBodyByteCount
      let value = try tag.body(item, limit: limit).dropFirst(item.name.count + 1)
      guard isPicture else {
        // UTF-16 with a mark has zeros that are no end.
        add(name, LegacyText.isWide(Array(value.prefix(2))) ? value : value.prefix { $0 != 0 }, .utf8)
        continue
      }
      guard let bytes = Base64Text.decoded(value) else {
        isOdd = true
        continue
      }
      if name == "COVERART" {
        add(picture: 0, mimeType: "image/", bytes: bytes)
      } else {
        addFLACPicture(bytes)
      }
    }
  }

  /// A picture as FLAC has it (RFC 9639 section 8.8).
  mutating func addFLACPicture(_ block: [UInt8]) {
    var offset = 4
    func field() -> ArraySlice<UInt8>? {
      guard let count = block.bigEndian(UInt32.self, at: offset).map({ Int($0) }), count <= block.count - offset - 4
      else {
        return nil
      }
      return block[offset + 4..<offset + 4 + count]
    }
    guard let type = block.bigEndian(UInt32.self, at: 0), let mimeType = field() else {
      isOdd = true
      return
    }
    offset += 4 + mimeType.count
    guard let caption = field() else {
      isOdd = true
      return
    }
    // Behind the text width, height, depth and colours.
    offset += 4 + caption.count + 16
    guard offset + 4 <= block.count else {
      isOdd = true
      return
    }
    let picture = field() ?? block[min(block.count, offset + 4)...]
    if field() == nil { isOdd = true }
    add(
      picture: Int(type), mimeType: String(decoding: mimeType.prefix(256), as: UTF8.self), caption: Array(caption),
      bytes: Array(picture))
  }
}
