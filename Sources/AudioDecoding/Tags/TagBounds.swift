/// Where the audio of a file begins and ends, without the tags before and after it.
///
/// Before: any number of ID3v2 and APEv2 tags. After: ID3v1 (and its "TAG+" extension), APEv2, Lyrics3 and appended
/// ID3v2 in any order. A tag that claims to be longer than the file is ignored.
struct TagBounds {
  private static let maximumTagCount = 10_000

  private(set) var audio: Range<Int64>

  init(_ bytes: BufferedBytes) throws(DecodingError) {
    let start = try Self.start(of: bytes)
    audio = start..<max(start, try Self.end(of: bytes, from: start, before: bytes.byteCount))
  }

  /// Where the tags before `end` begin.
  static func end(of bytes: BufferedBytes, from start: Int64, before end: Int64) throws(DecodingError) -> Int64 {
    var end = end
    for _ in 0..<maximumTagCount {
      guard let length = try trailingTagLength(bytes, endingAt: end, notBefore: start) else { break }
      end -= length
    }
    return end
  }

  /// Where the tags at the start of the file end.
  static func start(of bytes: BufferedBytes) throws(DecodingError) -> Int64 {
    var start: Int64 = 0
    for _ in 0..<maximumTagCount {
      guard let length = try leadingTagLength(bytes, at: start), start + length <= bytes.byteCount else { break }
      start += length
    }
    return start
  }

  /// Length of the ID3v2 or APEv2 tag that begins at `offset`, as it claims; nil if there is none.
  static func leadingTagLength(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> Int64? {
    let head = try bytes.copy(at: offset, count: 32)
    if let length = id3v2Length(head) { return length }
    if head.count == 32, head.has("APETAGEX", at: 0), let size = head.littleEndian(UInt32.self, at: 12) {
      return 32 + Int64(size)
    }
    return nil
  }

  /// Length with header and footer of the ID3v2 tag whose header `head` starts with; nil if it is none. A chunk `ID3 `
  /// of WAV or AIFF is none.
  static func id3v2Length(_ head: [UInt8]) -> Int64? {
    guard head.count >= 10, head.has("ID3", at: 0), head[3] < 0x20, head[4] != 0xFF,
      head[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// Length of the tag that ends at `end`, as it claims; nil if there is none.
  static func trailingTagLength(
    _ bytes: BufferedBytes, endingAt end: Int64, notBefore start: Int64
  ) throws(DecodingError) -> Int64? {
    var candidates: [Int64] = []
    if try bytes.matches("TAG", at: end - 128) {
      candidates.append(try bytes.matches("TAG+", at: end - 128 - 227) ? 128 + 227 : 128)
    }
    let foot = try bytes.copy(at: end - 32, count: 32)
    if foot.count == 32, foot.has("APETAGEX", at: 0), let size = foot.littleEndian(UInt32.self, at: 12),
      let flags = foot.littleEndian(UInt32.self, at: 20)
    {
      candidates.append(Int64(size) + (flags >> 31 == 1 ? 32 : 0))
    }
    if foot.count == 32, foot.has("3DI", at: 22) {
      candidates.append(20 + foot[28..<32].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) })
    }
    if foot.count == 32, foot.has("LYRICS200", at: 23) {
      let digits = foot[17..<23]
      if digits.allSatisfy({ (0x30...0x39).contains($0) }) {
        candidates.append(15 + digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) })
      }
    }
    if foot.count == 32, foot.has("LYRICSEND", at: 23) {
      let length = min(5100, end - start)
      let tail = try bytes.copy(at: end - length, count: Int(length))
      if let first = tail.indices.first(where: { tail.has("LYRICSBEGIN", at: $0) }) {
        candidates.append(length - Int64(first))
      }
    }
    return candidates.first { $0 > 0 && end - $0 >= start }
  }
}
