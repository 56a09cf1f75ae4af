import MediaModel

/// Core Audio Format.
struct CAFFormat: SampleFormat {
  let containersByExtension: [String: Set<Container>] = ["caf": [.caf]]

  private static let chunks = ChunkRow(
    form: .caf, dataName: "data",
    known: [
      "desc", "pakt", "kuki", "chan", "info", "strg", "mark", "regn", "inst", "midi", "ovvw", "peak", "edct", "umid",
      "ldat", "meta",
    ])

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.has("caff", at: 0) else { return nil }
    return try content(start.bytes, in: .caf)
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let bytes = file.bytes
    var (layout, table) = try Self.layouts(bytes)
    try layout.findStream(bytes, in: .caf, hashers: hashers)
    guard layout.stream == nil, let table else { return layout }
    let form: PacketForm
    do throws(DecodingError) { form = try table.form } catch {
      layout.obstacle = error
      return layout
    }
    let hasher = hashers.map { form.hasher($0) }
    let packets = try CAFPackets(bytes, table: table, data: layout.data, onPacket: hasher?.add)
    hasher?.finish()
    let track = try PacketTrack(packets, form: form, bytes: bytes)
    layout.stream = PCMLayout.Packed(layout: track, byteCount: packets.byteCount)
    return layout
  }

  func layout(_ bytes: BufferedBytes) throws(DecodingError) -> PCMLayout { try Self.layouts(bytes).samples }

  private static func layouts(
    _ bytes: BufferedBytes
  ) throws(DecodingError) -> (samples: PCMLayout, packets: CAFPacketTable?) {
    try PCMLayout.caf(bytes, from: TagBounds.start(of: bytes))
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    guard let layout = layout as? PCMLayout else { return }
    let origin = try TagBounds.start(of: file.bytes)
    try account.add(Self.chunks, from: origin + 8, origin: origin, data: layout.data)
    // libsndfile reads ALAC of a known width, by the same table.
    if let table = try Self.alacTable(file.bytes, layout), table.frameCount > 0 {
      let packets = try CAFPackets(file.bytes, table: table, data: layout.data)
      if packets.packetCount == table.packetCount {
        try account.leave(layout.data.lowerBound + packets.byteCount..<layout.data.upperBound)
      }
    }
  }

  private static func alacTable(
    _ bytes: BufferedBytes, _ layout: PCMLayout
  ) throws(DecodingError) -> CAFPacketTable? {
    guard layout.codec == .alac, layout.stream == nil else { return nil }
    var offset = try TagBounds.start(of: bytes) + 8
    for _ in 0..<ChunkForm.maximumCount {
      let head = try bytes.copy(at: offset, count: 12)
      guard let byteCount = ChunkForm.caf.byteCount(head), offset + 12 <= bytes.byteCount else { return nil }
      let (next, overflow) = offset.addingReportingOverflow(byteCount)
      guard !overflow else { return nil }
      if head.has("pakt", at: 0) {
        return try CAFPacketTable(
          bytes, chunk: offset + 12..<min(next, bytes.byteCount), format: "alac", sampleRateInHz: layout.sampleRateInHz,
          bytesPerPacket: 0, cookie: [])
      }
      offset = next
    }
    return nil
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in collector.add(try CAFTexts.contents(file.bytes)) }
  }
}
