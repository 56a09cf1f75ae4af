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

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    var layout = try OggLayout(file.bytes, range: TagBounds(file.bytes).audio, hashers: hashers)
    layout.hasIntactPages = file.content.name != Self.noIntactPage
    return layout
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    let format: TagLibFormat
    switch file.content.codec {
    case .vorbis?: format = .vorbis
    case .opus?: format = .opus
    case .speex?: format = .speex
    case .flac?: format = .oggFLAC
    default: return TagReading()
    }
    // A few pages do not give the length of Speex.
    let measured = format == .speex ? file.bareFormat : nil
    return try reader.read(as: format, in: try OggHeaderPages.find(file.bytes), measuring: measured) {
      (collector, _) throws(DecodingError) in
      collector.addMissing(MisencodedText(comments: try Self.comments(file.bytes)).values)
    }
  }

  /// The second packet of an Ogg stream, which for FLAC is a block with its header (RFC 9639 section 10.1).
  private static func comments(_ bytes: BufferedBytes) throws(DecodingError) -> [UInt8] {
    let packet = try OggHeaderPages.secondPacket(bytes, maximumByteCount: maximumCommentByteCount)
    let word = packet.bigEndian(UInt32.self, at: 0) ?? 0
    let isBlock = word >> 24 & 0x7F == 4 && Int(word & 0xFF_FFFF) == packet.count - 4
    return isBlock ? Array(packet.dropFirst(4)) : packet
  }
}
