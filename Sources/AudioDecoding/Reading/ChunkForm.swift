/// How the chunks of a container begin.
enum ChunkForm {
  /// WAV, and AIFF with its big-endian lengths.
  case riff, iff
  case wave64, caf
  /// Chunks of DSDIFF, with lengths of 8 bytes.
  case dsdiff
  /// There are none behind the data, as in AU.
  case none

  /// No file has more of them.
  static let maximumCount = 100_000
  static let headByteCount = 24

  /// Where the next chunk begins is a multiple of it.
  var alignment: Int64 {
    switch self {
    case .riff, .iff, .dsdiff: 2
    case .wave64: 8
    case .caf, .none: 1
    }
  }

  /// Of the name and the length.
  var headByteCountOfChunk: Int64 {
    switch self {
    case .riff, .iff: 8
    case .wave64: 24
    case .caf, .dsdiff: 12
    case .none: 0
    }
  }

  /// The bytes of the chunk that begins with `head`, with its header and without padding; nil if none can begin so.
  func byteCount(_ head: [UInt8]) -> Int64? {
    guard head.count >= 8, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    switch self {
    case .riff: return head.littleEndian(UInt32.self, at: 4).map { 8 + Int64($0) }
    case .iff: return head.bigEndian(UInt32.self, at: 4).map { 8 + Int64($0) }
    case .wave64:
      return head.littleEndian(UInt64.self, at: 16).flatMap { $0 < Self.headByteCount ? nil : Int64(clamping: $0) }
    case .caf, .dsdiff:
      return head.bigEndian(Int64.self, at: 4).flatMap { $0 < 0 ? nil : min($0, .max - 12) + 12 }
    case .none: return nil
    }
  }
}

extension ChunkForm {
  /// The body of the first chunk with an ID3v2 tag in a row of chunks of WAV or AIFF; nil if there is none.
  func id3Chunk(_ bytes: BufferedBytes, from start: Int64) throws(DecodingError) -> Range<Int64>? {
    var offset = start
    for _ in 0..<Self.maximumCount {
      let head = try bytes.copy(at: offset, count: 8)
      let size = self == .riff ? head.littleEndian(UInt32.self, at: 4) : head.bigEndian(UInt32.self, at: 4)
      guard let size else { return nil }
      let body = offset + 8..<min(bytes.byteCount, offset + 8 + Int64(size))
      guard body.upperBound > body.lowerBound || size == 0 else { return nil }
      if head.has("ID3 ", at: 0) || head.has("id3 ", at: 0) { return body }
      offset += 8 + Int64(size) + Int64(size & 1)
    }
    return nil
  }
}
