import MediaModel

/// Formats that are recognised and listed, but not decoded.
struct UndecodedFormats: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["mid": [.midi], "midi": [.midi]]

  private static let signatures: [(mark: StaticString, container: Container, name: String)] = [
    ("ADIF", Container(rawValue: "adif"), "AAC in ADIF"), ("MThd", .midi, "MIDI"),
    ("OFR ", Container(rawValue: "ofr"), "OptimFROG"),
    ("ajkg", Container(rawValue: "shn"), "Shorten"), (".RMF", Container(rawValue: "rm"), "RealMedia"),
    ("Creative Voice File", Container(rawValue: "voc"), "VOC"),
  ]

  func sniff(_ start: FileStart) -> SniffedContent? {
    if start.has("RIFF", at: 0), start.has("RMID", at: 8) { return .audio(.midi, nil, name: "MIDI") }
    let found = Self.signatures.first { start.has($0.mark, at: 0) }
    return found.map { .audio($0.container, nil, name: $0.name) }
  }

  /// Three frames of LATM in a row (ISO 14496-3 section 1.7.2): they have only 11 bits to know them by.
  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    var offset = tags.audio.lowerBound
    for _ in 0..<3 {
      let head = try bytes.copy(at: offset, count: 3)
      guard head.count == 3, head[0] == 0x56, head[1] & 0xE0 == 0xE0 else { return nil }
      offset += 3 + Int64(head[1] & 0x1F) << 8 + Int64(head[2])
    }
    return .audio(Container(rawValue: "latm"), nil, name: "AAC in LATM")
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    throw .unsupported(reason: "no decoder for \(file.content.name)")
  }
}
