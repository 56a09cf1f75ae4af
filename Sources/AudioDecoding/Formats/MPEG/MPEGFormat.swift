import MediaModel

/// Bare frames of MPEG audio, layers I to III; and what is left of a file that was cut in its first frame or its tag.
struct MPEGFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = [
    "mp1": [.mpeg], "mp2": [.mpeg], "mp3": [.mpeg], "mpga": [.mpeg],
  ]

  /// The names of files that end before their first frame does.
  private static let incompleteFrame = "no complete MPEG frame"
  private static let incompleteTag = "an ID3 or APE tag longer than the file, and no audio frame"

  func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds, before limit: Int64
  ) throws(DecodingError) -> FoundFrames? {
    var scanner = MPEGFrameScanner(bytes, range: tags.audio)
    guard let frame = try scanner.next(), frame.offset < limit else { return nil }
    let name = ["MPEG layer I", "MPEG layer II", "MP3"][frame.header.layer - 1]
    // Noise looks like a free format, whose frames may have any length.
    let isProven = scanner.skippedByteCount == 0 || frame.header.bitRateInBitsPerSecond != nil
    return FoundFrames(
      content: .audio(.mpeg, frame.header.codec, name: name), offset: frame.offset, isProven: isProven)
  }

  func sniffRemains(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    let head = try bytes.copy(at: 0, count: 10)
    if head.has("ID3", at: 0) || head.has("APETAGEX", at: 0) {
      let isWhole = tags.audio.lowerBound > 0
      return .audio(.mpeg, nil, name: isWhole ? "no audio frame after the tag" : Self.incompleteTag)
    }
    if tags.audio.upperBound < bytes.byteCount { return .audio(.mpeg, nil, name: "no audio frame before the tag") }
    guard bytes.byteCount < MPEGFrameScanner.maximumFrameByteCount, head.count > 1, head[0] == 0xFF,
      head[1] & 0xE0 == 0xE0, head[1] & 6 != 0, head[1] & 0x18 != 8
    else { return nil }
    return .audio(.mpeg, nil, name: Self.incompleteFrame)
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    if let layout = try MPEGLayout.open(file.bytes, hashers: hashers) { return layout }
    let name = file.content.name
    if [Self.incompleteFrame, Self.incompleteTag].contains(name) {
      throw .damaged(Problem(code: "truncated", reason: name))
    }
    throw .empty(reason: file.content.codec == nil ? name : "no audio frame in the \(name) stream")
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in
      try collector.add(SurroundingTags(file.bytes, skipsJunk: true))
    }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    try ID3Chapters.parts(file.bytes, tag: 0..<file.bytes.byteCount, sampleRateInHz: rate)
  }
}
