/// Where the audio of a file begins and ends, without the tags before and after it.
///
/// Before: any number of ID3v2 and APEv2 tags. After: ID3v1 (and its "TAG+" extension), APEv2, Lyrics3 and appended
/// ID3v2 in any order. A tag that claims to be longer than the file is ignored.
package struct TagBounds {
  private static let maximumTagCount = 10_000

  package private(set) var audio: Range<Int64>

  package init(_ bytes: BufferedBytes) throws(DecodingError) {
    let start = try Self.start(of: bytes)
    audio = start..<max(start, try Self.end(of: bytes, from: start, before: bytes.byteCount))
  }

  /// Where the tags before `end` begin.
  package static func end(of bytes: BufferedBytes, from start: Int64, before end: Int64) throws(DecodingError) -> Int64
  {
    var end = end
    for _ in 0..<maximumTagCount {
      guard let tag = try trailingTag(bytes, endingAt: end, notBefore: start) else { break }
      end -= tag.byteCount
    }
    return end
  }

  /// Where the tags at the start of the file end.
  package static func start(of bytes: BufferedBytes) throws(DecodingError) -> Int64 {
    var start: Int64 = 0
    for _ in 0..<maximumTagCount {
      guard let length = try leadingTagLength(bytes, at: start), start + length <= bytes.byteCount else { break }
      start += length
    }
    return start
  }

  /// Length of the ID3v2 or APEv2 tag that begins at `offset`, as it claims; nil if there is none.
  package static func leadingTagLength(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> Int64? {
    let head = try bytes.copy(at: offset, count: 32)
    if let length = id3v2Length(head) { return length }
    if head.count == 32, head.has("APETAGEX", at: 0), let size = head.littleEndian(UInt32.self, at: 12) {
      return 32 + Int64(size)
    }
    return nil
  }

  /// Length with header and footer of the ID3v2 tag whose header `head` starts with; nil if it is none. A chunk `ID3 `
  /// of WAV or AIFF is none.
  package static func id3v2Length(_ head: [UInt8]) -> Int64? {
    guard head.count >= 10, head.has("ID3", at: 0), head[3] < 0x20, head[4] != 0xFF,
      head[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// A tag behind the sound.
  package struct TrailingTag {
    package enum Kind { case id3v1, ape, id3v2, lyrics3 }

    package let kind: Kind
    /// As it claims, and as there is room.
    package let byteCount: Int64
  }

  /// The tag that ends at `end`; nil if there is none.
  ///
  /// ID3v1 has no end that tells it from others: "TAG" 128 bytes before the end may as well be in the value of a tag with a
  /// footer, or of the header of an APE tag without one. So a footer that leads to the start of its tag goes first.
  package static func trailingTag(
    _ bytes: BufferedBytes, endingAt end: Int64, notBefore start: Int64
  ) throws(DecodingError) -> TrailingTag? {
    let claimed = try tagsWithFooter(bytes, endingAt: end, notBefore: start)
      .filter { $0.byteCount > 0 && end - $0.byteCount >= start }
    for tag in claimed {
      if try isStart(of: tag.kind, bytes, at: end - tag.byteCount, before: end) { return tag }
    }
    guard end - 128 >= start, try bytes.matches("TAG", at: end - 128), try !bytes.matches("APETAGEX", at: end - 131)
    else { return claimed.first }
    let hasExtension = try bytes.matches("TAG+", at: end - 355)
    return TrailingTag(kind: .id3v1, byteCount: hasExtension && end - 355 >= start ? 355 : 128)
  }

  private static func tagsWithFooter(
    _ bytes: BufferedBytes, endingAt end: Int64, notBefore start: Int64
  ) throws(DecodingError) -> [TrailingTag] {
    let foot = try bytes.copy(at: end - 32, count: 32)
    guard foot.count == 32 else { return [] }
    var tags: [TrailingTag] = []
    if foot.has("APETAGEX", at: 0), let size = foot.littleEndian(UInt32.self, at: 12),
      let flags = foot.littleEndian(UInt32.self, at: 20)
    {
      tags.append(TrailingTag(kind: .ape, byteCount: Int64(size) + (flags >> 31 == 1 ? 32 : 0)))
    }
    if foot.has("3DI", at: 22) {
      let size = foot[28..<32].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      tags.append(TrailingTag(kind: .id3v2, byteCount: 20 + size))
    }
    if foot.has("LYRICS200", at: 23), foot[17..<23].allSatisfy({ (0x30...0x39).contains($0) }) {
      let size = foot[17..<23].reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
      tags.append(TrailingTag(kind: .lyrics3, byteCount: 15 + size))
    }
    if foot.has("LYRICSEND", at: 23) {
      let length = min(5100, end - start)
      let tail = try bytes.copy(at: end - length, count: Int(length))
      if let first = tail.indices.first(where: { tail.has("LYRICSBEGIN", at: $0) }) {
        tags.append(TrailingTag(kind: .lyrics3, byteCount: length - Int64(first)))
      }
    }
    return tags
  }

  /// Whether a tag with a footer begins at `offset`.
  private static func isStart(
    of kind: TrailingTag.Kind, _ bytes: BufferedBytes, at offset: Int64, before end: Int64
  ) throws(DecodingError) -> Bool {
    switch kind {
    case .id3v1: return false
    case .ape:
      if try bytes.matches("APETAGEX", at: offset) { return true }
      return try APEReader.isItem(bytes, at: offset, before: end - 32)
    case .id3v2: return try bytes.matches("ID3", at: offset)
    case .lyrics3: return try bytes.matches("LYRICSBEGIN", at: offset)
    }
  }
}
