import MediaModel

/// FLAC with its own header, or without one.
struct FLACFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["flac": [.flac], "fla": [.flac]]

  func sniff(_ start: FileStart) -> SniffedContent? {
    start.has("fLaC", at: 0) ? .audio(.flac, .flac, name: "FLAC") : nil
  }

  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    let head = try bytes.copy(at: tags.audio.lowerBound, count: FLACFrameShape.maximumByteCount)
    return FLACFrameShape.isHeader(head) ? .audio(.flac, .flac, name: "FLAC") : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    try FLACLayout(file.bytes, range: TagBounds(file.bytes).audio)
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.read(as: .flac) { (collector, isRefused) throws(DecodingError) in
      let comments = try isRefused ? FLACComments.find(file.bytes) : Self.comments(file.bytes)
      collector.addMissing(MisencodedText(comments: comments, takesAll: isRefused).values)
    }
  }

  /// The first block of comments of a FLAC file (RFC 9639 section 8.6).
  private static func comments(_ bytes: BufferedBytes) throws(DecodingError) -> [UInt8] {
    var offset = try TagBounds(bytes).audio.lowerBound + 4
    while let word = try bytes.bigEndian(UInt32.self, at: offset) {
      let length = Int(word & 0xFF_FFFF)
      if word >> 24 & 0x7F == 4 { return try bytes.file.bytes(at: offset + 4, count: length) }
      guard word >> 31 == 0 else { break }
      offset += 4 + Int64(length)
    }
    return []
  }

  /// The block has no names; a sheet in the comments may have them.
  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    try FLACCueSheet.parts(file.bytes)?.named(by: tags)
  }
}
