import MediaModel

/// Matroska and WebM (RFC 9559).
struct MatroskaFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = [
    "mka": [.matroska], "mkv": [.matroska], "webm": [.matroska], "weba": [.matroska],
  ]

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
    return try MatroskaLayout(start.bytes, start: start.offset).content
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let bytes = file.bytes
    let layout = try MatroskaLayout(bytes, start: TagBounds.start(of: bytes))
    guard let track = layout.track else { throw file.undecodable }
    switch try track.form {
    case .packets(let form):
      let hasher = hashers.map { form.hasher($0) }
      let packets = try MatroskaPackets(
        bytes, layout: layout, track: track, codec: form.codec, durations: form.durations, onPacket: hasher?.add)
      hasher?.finish()
      return try PacketTrack(packets, form: form, notes: layout.notes, bytes: bytes)
    case .joined(let form):
      let packets = try MatroskaPackets(bytes, layout: layout, track: track)
      let joined = try JoinedTrack(
        packets, form: form, ownProblem: packets.problem { _ in nil }, notes: layout.notes, bytes: bytes,
        hashers: hashers, trimming: packets.trimming)
      guard let joined else { throw file.undecodable }
      return joined
    }
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    try account.addElements()
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in collector.add(try MatroskaTags.contents(file.bytes)) }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    try MatroskaChapters.parts(file.bytes, sampleRateInHz: rate)
  }
}
