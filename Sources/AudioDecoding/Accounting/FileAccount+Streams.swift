import MediaModel

extension FileAccount {
  // MARK: - FLAC

  /// Programs that keep the chunks of the file that they encoded (registered at xiph.org).
  private static let applicationsWithChunks: [StaticString] = ["riff", "aiff", "w64 "]
  private static let mostForeignByteCount: Int64 = 1 << 16
  /// Of other streams, before one of the right shape: chance gives one in some ten megabytes.
  private static let mostHeaderCount = 1_000

  /// The metadata blocks must be known ones, and the last frame must begin so late that it can reach to the end.
  ///
  /// What else lies between the frames, libFLAC reports when it decodes.
  mutating func addFLAC(_ layout: FLACLayout) throws(DecodingError) {
    var offset = layout.whole.lowerBound + 4
    var greatestFrame: Int64 = 0
    var greatestBlock: Int64 = 65_535
    while offset < layout.frames.lowerBound, let word = try bytes.bigEndian(UInt32.self, at: offset) {
      let end = min(layout.frames.lowerBound, offset + 4 + Int64(word & 0xFF_FFFF))
      guard offset + 4 <= end else { break }
      let body = offset + 4..<end
      switch word >> 24 & 0x7F {
      case 0:
        let info = try bytes.copy(at: body.lowerBound, count: 10)
        greatestBlock = Int64(info.bigEndian(UInt16.self, at: 2) ?? .max)
        greatestFrame = Int64((info.bigEndian(UInt32.self, at: 6) ?? 0) & 0xFF_FFFF)
      case 2:
        var isForeign = false
        for name in Self.applicationsWithChunks where !isForeign {
          isForeign = try bytes.matches(name, at: body.lowerBound)
        }
        if !isForeign || body.upperBound - body.lowerBound > Self.mostForeignByteCount { try leave(body) }
      case 3...6: break
      default: try leave(body)
      }
      offset = body.upperBound
    }
    guard let info = layout.streamInfo, !layout.frames.isEmpty else { return }
    let bits = greatestBlock * Int64(info.channelCount) * Int64(info.bitsPerSample + 1)
    // A block that does not get smaller is stored as it is.
    let bound = (greatestFrame > 0 ? greatestFrame : bits / 8) + Int64(FLACFrameShape.maximumByteCount)
    let tail = max(layout.frames.lowerBound, layout.frames.upperBound - bound)..<layout.frames.upperBound
    if try !hasFrame(in: tail, like: info), tail.lowerBound > layout.frames.lowerBound { try leave(tail) }
  }

  private func hasFrame(in range: Range<Int64>, like info: FLACStreamInfo) throws(DecodingError) -> Bool {
    var start = range.lowerBound
    for _ in 0..<Self.mostHeaderCount {
      let rest = start..<max(start, range.upperBound)
      guard let found = try FLACFrameShape.firstHeader(bytes, in: rest) else { return false }
      let shape = FLACFrameShape(try bytes.copy(at: found, count: FLACFrameShape.maximumByteCount))
      if let shape, shape.channelCount == info.channelCount, [0, info.sampleRateInHz].contains(shape.sampleRateInHz),
        [0, info.bitsPerSample].contains(shape.bitsPerSample)
      {
        return true
      }
      start = found + 1
    }
    return false
  }

  // MARK: - Musepack

  /// Stream version 8: packets with two letters and a length (trac.musepack.net).
  mutating func addMusepack(_ layout: StreamLayout) throws(DecodingError) {
    guard case .musepack(let layout) = layout else { return }
    let end = layout.range.upperBound
    compare(
      frameCount: 0, ofDecoded: layout.header.silentFrameCount, sampleRateInHz: layout.header.sampleRateInHz)
    guard layout.header.version == 8 else { return try leave(min(layout.end, end)..<end) }
    var offset = layout.range.lowerBound + 4
    while offset < end {
      let head = try bytes.copy(at: offset, count: 10)
      guard head.count > 2, let size = MusepackSize(head, at: 2), size.value >= 2 + size.byteCount else { break }
      let name = String(decoding: head[..<2], as: UTF8.self)
      let (claimed, overflow) = offset.addingReportingOverflow(size.value)
      let next = overflow ? end : min(end, claimed)
      let isSound = name == "AP" && offset < layout.end
      if !isSound, !["SH", "RG", "EI", "SO", "ST", "SE", "CT"].contains(name) { try leave(offset..<next) }
      offset = next
      if name == "SE" { break }
    }
    if offset < end { try leave(offset..<end) }
  }

  // MARK: - Formats whose packets FFmpeg finds

  /// Advanced Systems Format Specification, section 6.
  private static let indexObjects: [[UInt8]] = [
    [0x90, 0x08, 0x00, 0x33, 0xB1, 0xE5, 0xCF, 0x11, 0x89, 0xF4, 0x00, 0xA0, 0xC9, 0x03, 0x49, 0xCB],
    [0xD3, 0x29, 0xE2, 0xD6, 0xDA, 0x35, 0xD1, 0x11, 0x90, 0x34, 0x00, 0xA0, 0xC9, 0x03, 0x49, 0xBE],
    [0xF8, 0x03, 0xB1, 0xFE, 0xAD, 0x12, 0x64, 0x4C, 0x84, 0x0F, 0x2A, 0x1D, 0x2F, 0x7A, 0xD4, 0x8C],
    [0xD0, 0x3F, 0xB7, 0x3C, 0x4A, 0x0C, 0x03, 0x48, 0x95, 0x3D, 0xED, 0xF7, 0xB6, 0x22, 0x8F, 0x0C],
  ]

  /// One stream, and nothing but indexes behind its packets.
  mutating func addASF() throws(DecodingError) {
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

  /// Monkey's Audio from version 3.98 on states the lengths of all its parts; those before do not.
  mutating func addMonkey() throws(DecodingError) {
    let range = try TagBounds(bytes).audio
    let head = try bytes.copy(at: range.lowerBound, count: 36)
    guard let version = head.littleEndian(UInt16.self, at: 4), version >= 3980, head.count == 36 else {
      return noteSurplus()
    }
    // Descriptor, header, table, header of the WAV file, sound in two words, and what was behind the sound.
    let parts = [8, 12, 16, 20, 24, 32].map { Int64(head.littleEndian(UInt32.self, at: $0) ?? 0) }
    let upper = head.littleEndian(UInt32.self, at: 28) ?? 0
    guard upper < 1 << 24, parts[3] + parts[5] <= Self.mostForeignByteCount else { return noteSurplus() }
    let end = range.lowerBound + parts.reduce(0, +) + Int64(upper) << 32
    if end < range.upperBound { try leave(end..<range.upperBound) }
  }

  /// TAK says in a metadata block where its last frame lies (FFmpeg, libavformat/takdec.c).
  mutating func addTAK() throws(DecodingError) {
    let range = try TagBounds(bytes).audio
    var offset = range.lowerBound + 4
    var frameEnd: Int64?
    while let word = try bytes.bigEndian(UInt32.self, at: offset) {
      let type = word >> 24 & 0x7F
      let size = Int64(word >> 16 & 0xFF | word & 0xFF00 | (word & 0xFF) << 16)
      offset += 4
      if type == 0 { break }
      if type == 7, let place = try bytes.bigEndian(UInt64.self, at: offset).map(\.byteSwapped) {
        frameEnd = Int64(place & 0xFF_FFFF_FFFF) + Int64(place >> 40)
      }
      offset += size
    }
    guard let frameEnd else { return noteSurplus() }
    let end = offset + frameEnd
    if end < range.upperBound { try leave(end..<range.upperBound) }
  }
}
