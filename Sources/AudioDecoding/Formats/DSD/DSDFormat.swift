import MediaModel

/// DSF and DSDIFF: DSD with a header, or in chunks.
struct DSDFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["dsf": [.dsf], "dff": [.dsdiff]]

  private static let chunks = ChunkRow(
    form: .dsdiff, dataName: "DSD ", known: ["FVER", "PROP", "DIIN", "COMT", "ID3 ", "id3 ", "MANF"])

  func sniff(_ start: FileStart) -> SniffedContent? {
    if start.has("DSD ", at: 0) { return .audio(.dsf, .dsd, name: "DSD") }
    return start.has("FRM8", at: 0) && start.has("DSD ", at: 12) ? .audio(.dsdiff, .dsd, name: "DSD") : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    file.container == .dsf ? try DSDLayout(dsf: file.bytes) : try DSDLayout(dsdiff: file.bytes)
  }

  // MARK: Tags

  /// The tag in the file, or those around it.
  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect { (collector) throws(DecodingError) in
      try collector.add(SurroundingTags(file.bytes, in: ownTag(file)))
    }
  }

  func parts(
    _ file: SniffedFile, describedBy tags: PartList?, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    let tag = try ownTag(file) ?? 0..<file.bytes.byteCount
    return try ID3Chapters.parts(file.bytes, tag: tag, sampleRateInHz: rate)
  }

  private func ownTag(_ file: SniffedFile) throws(DecodingError) -> Range<Int64>? {
    try file.container == .dsf ? Self.dsfTag(file.bytes) : Self.dsdiffTag(file.bytes)
  }

  /// The header gives the offset of an ID3v2 tag at the end of the file, or 0 (Sony, DSF File Format Specification
  /// 1.01).
  private static func dsfTag(_ bytes: BufferedBytes) throws(DecodingError) -> Range<Int64>? {
    let head = try bytes.copy(at: try TagBounds.start(of: bytes), count: 28)
    guard let offset = head.littleEndian(UInt64.self, at: 20), offset < UInt64(bytes.byteCount) else { return nil }
    let tag = Int64(offset)..<bytes.byteCount
    return try bytes.matches("ID3", at: tag.lowerBound) ? tag : nil
  }

  /// The chunk `ID3 ` beside the sound: not in the specification (Philips, DSDIFF 1.5), but what taggers write.
  private static func dsdiffTag(_ bytes: BufferedBytes) throws(DecodingError) -> Range<Int64>? {
    var offset = try TagBounds.start(of: bytes) + 16
    for _ in 0..<ChunkForm.maximumCount {
      let head = try bytes.copy(at: offset, count: 12)
      guard head.count == 12, let size = head.bigEndian(UInt64.self, at: 4) else { return nil }
      let body = offset + 12
      let end = body + Int64(min(size, UInt64(bytes.byteCount - body)))
      if head.has("ID3 ", at: 0) { return body..<end }
      offset = end + (end - body) % 2
    }
    return nil
  }

  // MARK: What else is there

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    guard let layout = layout as? DSDLayout else { return }
    if layout.container == .dsdiff {
      let origin = try TagBounds.start(of: file.bytes)
      return try account.add(Self.chunks, from: origin + 16, origin: origin, data: layout.data)
    }
    let channelCount = Int64(layout.channelCount)
    if case .blocks(let size, _) = layout.order {
      let blockCount = (layout.declaredByteCount + Int64(size) - 1) / Int64(size)
      let (used, overflow) = (blockCount * Int64(size)).multipliedReportingOverflow(by: channelCount)
      if !overflow, used < layout.data.upperBound - layout.data.lowerBound {
        try account.leave(layout.data.lowerBound + used..<layout.data.upperBound)
      }
    }
    try account.leave(layout.data.upperBound..<max(layout.data.upperBound, file.bytes.byteCount))
  }
}
