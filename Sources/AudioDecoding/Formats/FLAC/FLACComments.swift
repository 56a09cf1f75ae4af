internal import Base

/// The Vorbis comments of a FLAC file whose blocks do not follow each other as their lengths say.
///
/// Comments have lengths of their own: the length of their block is not needed, only its start.
enum FLACComments {
  private static let maximumByteCount = 17 << 20
  private static let maximumBlockCount = 1000

  /// The comments and what follows them; empty if there are none.
  static func find(_ bytes: BufferedBytes) throws(DecodingError) -> [UInt8] {
    var offset = try TagBounds(bytes).audio.lowerBound + 4
    let start = offset
    for _ in 0..<maximumBlockCount {
      guard let word = try bytes.bigEndian(UInt32.self, at: offset), word >> 24 & 0x7F != 0x7F else { break }
      if word >> 24 & 0x7F == 4 {
        let body = try bytes.file.bytes(at: offset + 4, count: maximumByteCount)
        if isComments(body, at: 0) { return body }
      }
      offset += 4 + Int64(word & 0xFF_FFFF)
      if word >> 31 == 1 { break }
    }
    // A length before them is wrong: they are somewhere else.
    let head = try bytes.file.bytes(at: start, count: maximumByteCount)
    let place = head.indices.first { head[$0] & 0x7F == 4 && isComments(head, at: $0 + 4) }
    return place.map { Array(head[($0 + 4)...]) } ?? []
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
    return !name.isEmpty && name.count < min(Int(length), 257) && name.allSatisfy { (0x20...0x7D).contains($0) }
  }
}
