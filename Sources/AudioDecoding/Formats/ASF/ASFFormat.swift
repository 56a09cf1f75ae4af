import MediaModel

/// Windows Media, whose packets libavformat finds.
struct ASFFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["wma": [.asf], "asf": [.asf]]

  func sniff(_ start: FileStart) throws(DecodingError) -> SniffedContent? {
    guard start.head.starts(with: ASFLayout.headerIdentifier) else { return nil }
    return try ASFLayout(start.bytes, start: start.offset).content
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    guard file.content.codec != nil else { throw file.undecodable }
    let range = try TagBounds(file.bytes).audio
    let asf = try ASFLayout(file.bytes, start: range.lowerBound)
    let (minimum, maximum) = asf.packetByteCounts
    return DemuxedLayout(
      container: .asf, rules: StreamHashers.Rules("asf"), range: range, hashed: asf.packets ?? range,
      configuration: asf.stream?.configuration ?? [], unusualReading: try asf.unusualReading(file.bytes),
      missingByteCount: asf.missingByteCount, packetByteCount: Int64(maximum),
      hasEqualPackets: minimum == maximum && maximum > 0)
  }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] {
    [try ASFLayout(file.bytes, start: TagBounds.start(of: file.bytes)).packets ?? 0..<file.bytes.byteCount]
  }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect(measuring: file.bareFormat, as: .asf) { (collector) throws(DecodingError) in
      let start = try TagBounds.start(of: file.bytes)
      collector.add(try TagContents(asf: ASFTagReader.tags(file.bytes, start: start)))
    }
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    try account.addASF()
  }
}

extension FileAccount {
  /// Advanced Systems Format Specification, section 6.
  private static let indexObjects: [[UInt8]] = [
    [0x90, 0x08, 0x00, 0x33, 0xB1, 0xE5, 0xCF, 0x11, 0x89, 0xF4, 0x00, 0xA0, 0xC9, 0x03, 0x49, 0xCB],
    [0xD3, 0x29, 0xE2, 0xD6, 0xDA, 0x35, 0xD1, 0x11, 0x90, 0x34, 0x00, 0xA0, 0xC9, 0x03, 0x49, 0xBE],
    [0xF8, 0x03, 0xB1, 0xFE, 0xAD, 0x12, 0x64, 0x4C, 0x84, 0x0F, 0x2A, 0x1D, 0x2F, 0x7A, 0xD4, 0x8C],
    [0xD0, 0x3F, 0xB7, 0x3C, 0x4A, 0x0C, 0x03, 0x48, 0x95, 0x3D, 0xED, 0xF7, 0xB6, 0x22, 0x8F, 0x0C],
  ]

  /// One stream, and nothing but indexes behind its packets.
  fileprivate mutating func addASF() throws(DecodingError) {
    let range = try TagBounds(bytes).audio
    let asf = try ASFLayout(bytes, start: range.lowerBound)
    if asf.hasOtherStreams { noteOtherStream() }
    guard let packets = asf.packets else { return noteSurplus() }
    var offset = packets.upperBound
    while offset < range.upperBound {
      let head = try bytes.copy(at: offset, count: 24)
      guard let size = head.littleEndian(UInt64.self, at: 16), size >= 24,
        Self.indexObjects.contains(where: { head.starts(with: $0) })
      else { break }
      let (next, overflow) = offset.addingReportingOverflow(Int64(clamping: size))
      offset = overflow ? range.upperBound : min(next, range.upperBound)
    }
    if offset < range.upperBound { try leave(offset..<range.upperBound) }
  }
}
