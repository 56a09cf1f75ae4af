import MediaModel

/// AC-3, E-AC-3 and DTS as bare streams of frames.
struct AC3AndDTSFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = [
    "ac3": [.ac3, .eac3], "eac3": [.eac3], "ec3": [.eac3], "dts": [.dts],
  ]

  /// Two frames in a row, or one that fills the file.
  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    try findFrames(bytes, between: tags, before: tags.audio.lowerBound + 1)?.content
  }

  func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds, before limit: Int64
  ) throws(DecodingError) -> FoundFrames? {
    try Self.search(bytes, in: tags.audio, before: limit).map {
      let (container, codec) = ($0.syntax.container, $0.syntax.codec.codec)
      return FoundFrames(
        content: .audio(container, codec, name: container.displayName), offset: $0.range.lowerBound)
    }
  }

  private static func search(
    _ bytes: BufferedBytes, in range: Range<Int64>, before limit: Int64
  ) throws(DecodingError) -> BareFrameSearch? {
    let firstBytes = DTSHeader.firstBytes + [AC3Syntax.sync[0]]
    return try BareFrameSearch(bytes, in: range, before: limit, canBegin: { firstBytes.contains($0) }) {
      AC3Syntax($0) ?? DTSSyntax($0)
    }
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    guard let found = try Self.search(file.bytes, in: range, before: range.upperBound) else {
      throw .unsupported(reason: "no decoder for \(file.content.name)")
    }
    return try PacketTrack(bare: file.bytes, found, hash: hashers?.current)
  }
}
