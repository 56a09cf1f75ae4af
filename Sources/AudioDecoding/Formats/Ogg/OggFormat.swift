import MediaModel

/// Ogg with Vorbis, Opus, Speex or FLAC.
struct OggFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = [
    "ogg": [.ogg], "oga": [.ogg], "ogv": [.ogg], "opus": [.ogg], "spx": [.ogg],
  ]

  private static let noIntactPage = "no intact page"
  private static let maximumCommentByteCount = 16 << 20

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.has("OggS", at: 0) else { return nil }
    var scanner = OggPageScanner(start.bytes, range: start.offset..<start.bytes.byteCount)
    var names: [String] = []
    var pageCount = 0
    while pageCount < 64, let page = try scanner.next() {
      pageCount += 1
      guard page.isFirst else { break }
      let codec = OggCodec(firstPacket: try start.bytes.copy(at: page.bodyOffset, count: page.bodyByteCount))
      if let known = codec.codec {
        return .audio(.ogg, known, name: codec.displayName)
      }
      if case .other(let name) = codec { names.append(name) }
    }
    let what = names.isEmpty ? Self.noIntactPage : "no audio stream: \(names.joined(separator: ", "))"
    return .audio(.ogg, nil, name: what)
  }

  func findFrames(
    _ bytes: BufferedBytes, between tags: TagBounds, before limit: Int64
  ) throws(DecodingError) -> FoundFrames? {
    guard let offset = try OggPageScanner.firstPage(bytes, around: tags.audio), offset < limit,
      let content = try sniff(FileStart(bytes, at: offset)), content.codec != nil
    else { return nil }
    return FoundFrames(content: content, offset: offset)
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    var layout = try OggLayout(file.bytes, range: OggPageScanner.range(file.bytes), hashers: hashers)
    layout.hasIntactPages = file.content.name != Self.noIntactPage
    return layout
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    guard [.vorbis, .opus, .speex, .flac].contains(file.content.codec) else { return TagReading() }
    return try reader.collect(measuring: file.content.codec == .speex ? file.bareFormat : nil, as: .speex) {
      (collector) throws(DecodingError) in
      if let tag = try Self.comments(file.bytes, of: file.content.codec) {
        collector.add(try TagContents(comments: tag))
      }
      let hasJunk = try OggPageScanner.range(file.bytes).lowerBound > TagBounds(file.bytes).audio.lowerBound
      try collector.add(SurroundingTags(file.bytes, skipsJunk: hasJunk))
    }
  }

  /// The comments in the second packet of the first audio stream: behind the mark of Vorbis or Opus, or the head of a
  /// block of FLAC (RFC 9639 section 10.1), or as they are.
  private static func comments(_ bytes: BufferedBytes, of codec: Codec?) throws(DecodingError) -> RawTag? {
    for checksSums in [true, false] {
      let packet = try OggHeaderPages.secondPacket(
        bytes, maximumByteCount: maximumCommentByteCount, checksSums: checksSums)
      let word = packet.bigEndian(UInt32.self, at: 0) ?? 0
      let isBlock = word >> 24 & 0x7F == 4 && Int(word & 0xFF_FFFF) == packet.count - 4
      let mark: Int64 = packet.has("vorbis", at: 1) ? 7 : packet.has("OpusTags", at: 0) ? 8 : isBlock ? 4 : 0
      // Of Speex they have no mark.
      guard mark > 0 || !packet.isEmpty && codec == .speex else { continue }
      let memory = BytesInMemory(packet).file
      var tag = try VorbisCommentReader.tag(memory, mark..<memory.byteCount, isRestored: true)
      if !checksSums { tag.isOdd = true }
      return tag
    }
    return nil
  }
}
