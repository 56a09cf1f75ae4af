import MediaModel

/// AAC as a bare stream of ADTS frames.
struct ADTSFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["aac": [.adts]]

  /// Two headers in a row, or one whose frame fills the file.
  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    let offset = tags.audio.lowerBound
    guard let length = Self.frameLength(try bytes.copy(at: offset, count: 7)) else { return nil }
    let next = offset + Int64(length)
    let following = try bytes.copy(at: next, count: 7)
    guard next == bytes.byteCount || Self.frameLength(following) != nil else { return nil }
    return .audio(.adts, .aac, name: "AAC")
  }

  private static func frameLength(_ head: [UInt8]) -> Int? {
    guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0, head[2] >> 2 & 15 < 13 else { return nil }
    let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
    return length >= 7 ? length : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    guard let syntax = ADTSSyntax(try file.bytes.copy(at: range.lowerBound, count: 16)) else {
      throw .unsupported(reason: "no decoder for \(file.content.name)")
    }
    return try PacketTrack(bare: file.bytes, range: range, syntax, hash: hashers?.current)
  }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] { [try TagBounds(file.bytes).audio] }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect(measuring: file.bareFormat, as: .mpeg) { (collector) throws(DecodingError) in
      try collector.add(SurroundingTags(file.bytes))
    }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    try ID3Chapters.parts(file.bytes, tag: 0..<file.bytes.byteCount, sampleRateInHz: rate)
  }
}
