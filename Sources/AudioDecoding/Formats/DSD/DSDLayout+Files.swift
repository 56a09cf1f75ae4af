import MediaModel

/// Sources: Sony, DSF File Format Specification 1.01; Philips, DSDIFF File Format 1.5.
extension DSDLayout {
  // MARK: DSF

  init(dsf bytes: BufferedBytes) throws(DecodingError) {
    let start = try TagBounds.start(of: bytes)
    let head = try bytes.copy(at: start, count: 92)
    guard head.count == 92, head.has("fmt ", at: 28), head.has("data", at: 80),
      let id = head.littleEndian(UInt32.self, at: 44), let type = head.littleEndian(UInt32.self, at: 48),
      let channelCount = head.littleEndian(UInt32.self, at: 52), let rate = head.littleEndian(UInt32.self, at: 56),
      let bits = head.littleEndian(UInt32.self, at: 60), let sampleCount = head.littleEndian(UInt64.self, at: 64),
      let block = head.littleEndian(UInt32.self, at: 72), let size = head.littleEndian(UInt64.self, at: 84)
    else { throw .missing("format and data chunk", in: .dsf) }
    guard id == 0 else { throw .unsupported(reason: "no decoder for format \(id) in DSF") }
    guard [1, 8].contains(bits), (1...1 << 20).contains(block), (1...64).contains(channelCount), sampleCount < 1 << 60
    else { throw .impossibleHeader("the DSF header gives impossible numbers") }
    let length = min(Int64(clamping: size) - 12, bytes.byteCount - start - 92)
    let group = Int64(block) * Int64(channelCount)
    try self.init(
      container: .dsf, rate: rate, channelCount: Int(channelCount), channelMask: type == 5 ? 0xF : nil,
      order: .blocks(byteCount: Int(block), isLowestFirst: bits == 1), data: start + 92..<start + 92 + max(0, length),
      declaredByteCount: Int64(sampleCount / 8), byteCount: max(0, length) / group * Int64(block))
  }

  // MARK: DSDIFF

  init(dsdiff bytes: BufferedBytes) throws(DecodingError) {
    var header = DSDIFFHeader()
    var declared: Int64 = 0
    try Self.forEachChunk(bytes, in: TagBounds.start(of: bytes) + 16..<bytes.byteCount) {
      name, body, size throws(DecodingError) in
      switch name {
      case "PROP": try header.readProperties(bytes, in: body)
      case "DSD ":
        header.data = header.data ?? body
        declared = declared == 0 ? size : declared
      case "DST ": header.isCompressed = true
      default: break
      }
    }
    guard !header.isCompressed else { throw .unsupported(reason: "no decoder for DST, compressed DSD") }
    guard let data = header.data else { throw .missing("sound data", in: .dsdiff) }
    guard let rate = header.rate, let channelCount = header.channelCount, channelCount > 0 else {
      throw .missing("usable properties", in: .dsdiff)
    }
    try self.init(
      container: .dsdiff, rate: rate, channelCount: channelCount, channelMask: header.channelMask, order: .interleaved,
      data: data, declaredByteCount: declared / Int64(channelCount),
      byteCount: (data.upperBound - data.lowerBound) / Int64(channelCount))
  }

  /// - Parameter body: gets the name, the bytes that are there, and how many the chunk claims.
  fileprivate static func forEachChunk(
    _ bytes: BufferedBytes, in range: Range<Int64>,
    _ body: (String, Range<Int64>, Int64) throws(DecodingError) -> Void
  ) throws(DecodingError) {
    var offset = range.lowerBound
    var count = 0
    while offset + 12 <= range.upperBound, count < ChunkForm.maximumCount {
      count += 1
      let head = try bytes.copy(at: offset, count: 12)
      guard head.count == 12, let size = head.bigEndian(UInt64.self, at: 4) else { return }
      let start = offset + 12
      let length = Int64(min(size, UInt64(range.upperBound - start)))
      try body(String(decoding: head[..<4], as: UTF8.self), start..<start + length, Int64(clamping: size))
      offset = start + length + length % 2
    }
  }
}

extension DSDIFFHeader {
  mutating func readProperties(_ bytes: BufferedBytes, in range: Range<Int64>) throws(DecodingError) {
    guard try bytes.matches("SND ", at: range.lowerBound) else { return }
    var found = self
    try DSDLayout.forEachChunk(bytes, in: range.lowerBound + 4..<range.upperBound) {
      name, body, _ throws(DecodingError) in
      switch name {
      case "FS  ": found.rate = try bytes.bigEndian(UInt32.self, at: body.lowerBound)
      case "CHNL": found.channelCount = try bytes.bigEndian(UInt16.self, at: body.lowerBound).map { Int($0) }
      case "CMPR": if try !bytes.matches("DSD ", at: body.lowerBound) { found.isCompressed = true }
      default: break
      }
    }
    self = found
  }
}

/// What the chunks of DSDIFF say.
private struct DSDIFFHeader {
  var rate: UInt32?
  var channelCount: Int?
  var channelMask: UInt32?
  var data: Range<Int64>?
  var isCompressed = false
}
