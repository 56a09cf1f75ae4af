import MediaModel

/// AC-3, E-AC-3 and DTS as bare streams of frames.
struct AC3AndDTSFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = [
    "ac3": [.ac3, .eac3], "eac3": [.eac3], "ec3": [.eac3], "dts": [.dts],
  ]

  /// Two frames in a row, or one that fills the file.
  func sniffFrames(_ bytes: BufferedBytes, between tags: TagBounds) throws(DecodingError) -> SniffedContent? {
    let offset = tags.audio.lowerBound
    let head = try bytes.copy(at: offset, count: 16)
    guard let syntax: any BareFrameSyntax = AC3Syntax(head) ?? DTSSyntax(head), let frame = syntax.frame(head),
      frame.role == .packet
    else { return nil }
    let following = try bytes.copy(at: offset + Int64(frame.byteCount), count: 16)
    guard following.isEmpty || syntax.frame(following) != nil else { return nil }
    return .audio(syntax.container, syntax.codec.codec, name: syntax.container.displayName)
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    let head = try file.bytes.copy(at: range.lowerBound, count: 16)
    guard let syntax: any BareFrameSyntax = file.container == .dts ? DTSSyntax(head) : AC3Syntax(head) else {
      throw .unsupported(reason: "no decoder for \(file.content.name)")
    }
    return try PacketTrack(bare: file.bytes, range: range, syntax, hash: hashers?.current)
  }
}
