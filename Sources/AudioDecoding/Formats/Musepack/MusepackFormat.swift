import MediaModel

/// Musepack, whose stream is its own container.
struct MusepackFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["mpc": [.musepack], "mp+": [.musepack]]

  func sniff(_ start: FileStart) -> SniffedContent? {
    start.has("MPCK", at: 0) || start.has("MP+", at: 0) ? .audio(.musepack, .musepack, name: "Musepack") : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    try MusepackLayout(file.bytes, range: TagBounds(file.bytes).audio, hash: hashers?.current)
  }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] { [try TagBounds(file.bytes).audio] }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect(measuring: file.bareFormat, as: .musepack) { (collector) throws(DecodingError) in
      try collector.add(SurroundingTags(file.bytes), [.ape, .id3v2, .id3v1])
    }
  }
}
