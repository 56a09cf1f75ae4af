import MediaModel

extension FileAccount {
  /// A row of chunks: how they begin, and which of them are known.
  private struct Row {
    var form: ChunkForm
    var dataName: String
    var known: Set<String>
  }

  /// Chunks whose whole body must be padding.
  private static let paddingNames: Set<String> = [
    "JUNK", "junk", "PAD ", "FLLR", "filr", "Fake", "free", "skip", "wide",
  ]
  private static let wav = Row(
    form: .riff, dataName: "data",
    known: [
      "fmt ", "ds64", "fact", "LIST", "list", "id3 ", "ID3 ", "bext", "cue ", "iXML", "aXML", "axml", "_PMX", "smpl",
      "inst", "plst", "note", "labl", "acid", "strc", "cart", "afsp", "DISP", "PEAK", "chna", "ubxt", "umid", "CDif",
      "SAUR", "levl", "r64m", "MD5 ", "minf", "elm1", "regn", "DGDA", "ResU", "LGWV", "clm ", "ovwf", "trkn", "tlst",
      "mext", "qlty", "link", "slnt", "CSET", "sndm", "SyLp", "AFAn", "bwf ", "mark", "suml", "summ",
    ])
  private static let aiff = Row(
    form: .iff, dataName: "SSND",
    known: [
      "COMM", "FVER", "MARK", "INST", "COMT", "NAME", "AUTH", "(c) ", "ANNO", "AESD", "APPL", "MIDI", "SAXL", "ID3 ",
      "id3 ", "CHAN", "PEAK", "basc", "trns", "cate", "BASC", "TRNS", "CATE", "iXML", "bext", "LGWV", "ResU", "AFSP",
      "afsp",
    ])
  private static let caf = Row(
    form: .caf, dataName: "data",
    known: [
      "desc", "pakt", "kuki", "chan", "info", "strg", "mark", "regn", "inst", "midi", "ovvw", "peak", "edct", "umid",
      "ldat", "meta",
    ])
  private static let dsdiff = Row(
    form: .dsdiff, dataName: "DSD ", known: ["FVER", "PROP", "DIIN", "COMT", "ID3 ", "id3 ", "MANF"])
  /// What is not sound in a list: titles, and texts for marks.
  private static let listTypes: Set<String> = ["INFO", "adtl", "exif", "Info", "adl ", "PCON"]
  private static let mostTextByteCount: Int64 = 4096

  /// WAV, RF64, W64, AIFF, CAF and AU: every chunk must be a known one, and the data of the first `data` chunk all
  /// sound.
  mutating func addChunks(_ layout: StreamLayout, in container: Container) throws(DecodingError) {
    guard case .pcm(let layout) = layout else { return }
    let origin = try TagBounds.start(of: bytes)
    switch container {
    case .au:
      // What stands between header and data is a text.
      try leave(
        origin + 24 + Self.mostTextByteCount..<max(origin + 24 + Self.mostTextByteCount, layout.data.lowerBound))
      try leave(layout.data.upperBound..<max(layout.data.upperBound, bytes.byteCount))
    case .aiff: try add(Self.aiff, from: origin + 12, origin: origin, data: layout.data)
    case .caf: try add(Self.caf, from: origin + 8, origin: origin, data: layout.data)
    case .w64:
      var row = Self.wav
      row.form = .wave64
      try add(row, from: origin + 40, origin: origin, data: layout.data)
    default:
      var row = Self.wav
      if try bytes.matches("RIFX", at: origin) { row.form = .iff }
      try add(row, from: origin + 12, origin: origin, data: layout.data)
    }
    if let frames = layout.packets?.source as? BareFrames {
      try leave(layout.data.lowerBound..<frames.range.lowerBound)
    }
    // libsndfile reads ALAC of a known width, by the same table.
    if let table = try alacTable(layout), table.frameCount > 0 {
      let packets = try CAFPackets(bytes, table: table, data: layout.data)
      if packets.packetCount == table.packetCount {
        try leave(layout.data.lowerBound + packets.byteCount..<layout.data.upperBound)
      }
    }
  }

  private func alacTable(_ layout: PCMLayout) throws(DecodingError) -> CAFPacketTable? {
    guard layout.codec == .alac, layout.packets == nil else { return nil }
    var offset = try TagBounds.start(of: bytes) + 8
    for _ in 0..<PCMLayout.maximumChunkCount {
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

  /// Goes along a row of chunks up to the end of the file.
  ///
  /// - Parameter data: What is decoded of the first chunk with sound; if its own length makes no sense, it ends there.
  private mutating func add(
    _ row: Row, from start: Int64, origin: Int64, data: Range<Int64>
  ) throws(DecodingError) {
    let end = bytes.byteCount
    var offset = start
    var isBehindData = false
    for _ in 0..<PCMLayout.maximumChunkCount where offset < end {
      let padding = (row.form.alignment - (offset - origin) % row.form.alignment) % row.form.alignment
      guard offset + padding < end else { return }
      // Some programs do not fill up to an even length.
      let isAligned = try isChunk(at: offset + padding, row)
      let isUnaligned = try isChunk(at: offset, row)
      offset += isUnaligned && !isAligned ? 0 : padding
      if let length = try TagBounds.leadingTagLength(bytes, at: offset), offset + length <= end {
        try leave(offset..<offset + length)
        offset += length
        continue
      }
      let head = try bytes.copy(at: offset, count: ChunkForm.headByteCount)
      let name = String(decoding: head.prefix(4), as: UTF8.self)
      let isOpen = name == row.dataName && !isBehindData && head.count > 4
      guard let byteCount = row.form.byteCount(head) ?? (isOpen ? .max : nil) else { break }
      let (claimed, overflow) = offset.addingReportingOverflow(byteCount)
      var next = overflow ? end : min(claimed, end)
      let body = min(offset + row.form.headByteCountOfChunk, next)
      if name == row.dataName, !isBehindData {
        isBehindData = true
        next = overflow || claimed > end ? data.upperBound : max(next, data.upperBound)
        try leave(body..<max(body, data.lowerBound))
        try leave(data.upperBound..<max(next, data.upperBound))
      } else if !row.known.contains(name) || Self.paddingNames.contains(name) {
        try leave(body..<next)
      } else if name == "LIST" || name == "list", row.form != .wave64 {
        let type = String(decoding: try bytes.copy(at: body, count: 4), as: UTF8.self)
        if !Self.listTypes.contains(type) { try leave(body..<next) }
      }
      guard next > offset else { break }
      offset = next
    }
    if offset < end { try leave(offset..<end) }
  }

  private func isChunk(at offset: Int64, _ row: Row) throws(DecodingError) -> Bool {
    let name = String(decoding: try bytes.copy(at: offset, count: 4), as: UTF8.self)
    return name == row.dataName || row.known.contains(name) || Self.paddingNames.contains(name)
  }

  /// DSF, whose header gives the place of one tag behind the data, and DSDIFF, which has chunks.
  mutating func addDSD(_ layout: StreamLayout) throws(DecodingError) {
    guard case .dsd(let layout) = layout else { return }
    if layout.container == .dsdiff {
      let origin = try TagBounds.start(of: bytes)
      return try add(Self.dsdiff, from: origin + 16, origin: origin, data: layout.data)
    }
    let channelCount = Int64(layout.channelCount)
    if case .blocks(let size, _) = layout.order {
      let blockCount = (layout.declaredByteCount + Int64(size) - 1) / Int64(size)
      let (used, overflow) = (blockCount * Int64(size)).multipliedReportingOverflow(by: channelCount)
      if !overflow, used < layout.data.upperBound - layout.data.lowerBound {
        try leave(layout.data.lowerBound + used..<layout.data.upperBound)
      }
    }
    try leave(layout.data.upperBound..<max(layout.data.upperBound, bytes.byteCount))
  }
}
