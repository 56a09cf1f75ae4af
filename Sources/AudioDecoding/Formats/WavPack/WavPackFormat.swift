import MediaModel

/// WavPack as a row of blocks.
struct WavPackFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["wv": [.wavpack]]

  func sniff(_ start: FileStart) -> SniffedContent? {
    start.has("wvpk", at: 0) ? .audio(.wavpack, .wavpack, name: "WavPack") : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    let syntax = try WavPackSyntax(file.bytes, range: range)
    return try PacketTrack(bare: file.bytes, range: range, syntax, hash: hashers?.current)
  }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] { [try TagBounds(file.bytes).audio] }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect(measuring: file.bareFormat, as: .wavPack) { (collector) throws(DecodingError) in
      try collector.add(SurroundingTags(file.bytes), [.ape, .id3v2, .id3v1])
    }
  }
}
