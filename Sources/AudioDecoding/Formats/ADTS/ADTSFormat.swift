import MediaModel

/// AAC as a bare stream of ADTS frames.
struct ADTSFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["aac": [.adts]]

  /// Two headers in a row, or one whose frame fills the file.
  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    try findFrames(bytes, between: tags, before: tags.audio.lowerBound + 1)?.content
  }

  func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds, before limit: Int64
  ) throws(DecodingError) -> FoundFrames? {
    try ADTSSyntax.search(bytes, in: tags.audio, before: limit).map {
      FoundFrames(content: .audio(.adts, .aac, name: "AAC"), offset: $0.range.lowerBound)
    }
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    guard let found = try ADTSSyntax.search(file.bytes, in: range, before: range.upperBound) else {
      throw .unsupported(reason: "no decoder for \(file.content.name)")
    }
    return try PacketTrack(bare: file.bytes, found, hash: hashers?.current)
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
