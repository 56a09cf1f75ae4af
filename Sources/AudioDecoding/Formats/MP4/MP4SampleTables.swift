import MediaModel

/// The sample tables of a track (ISO 14496-12 section 8.5 to 8.7), which stay in the file: of a day of music they are
/// tens of megabytes long.
struct MP4SampleTables {
  /// Entries of one size, behind their number.
  struct Table: Hashable {
    var start: Int64 = 0
    var count: Int64 = 0
  }

  /// Durations: a number of samples, and the ticks of each.
  private(set) var durations = Table()
  /// Which chunks have how many samples: the first chunk, samples, description.
  private(set) var chunkRuns = Table()
  /// File offsets of the chunks.
  private(set) var chunks = Table()
  private(set) var hasLongOffsets = false
  /// Bytes of each sample, unless all have `uniformSize`.
  private(set) var sizes = Table()
  private(set) var sizeBitCount: Int64 = 32
  private(set) var uniformSize: Int64 = 0
  /// How many samples that lie behind one another are read as one packet: more than one of PCM.
  let samplesPerPacket: Int64

  /// Tables that are missing or cut are empty or shorter.
  ///
  /// - Parameter bytesPerSample: of PCM, for which QuickTime states 1 in place of it.
  init(_ bytes: BufferedBytes, table: Range<Int64>, bytesPerSample: Int64? = nil) throws(DecodingError) {
    samplesPerPacket = bytesPerSample == nil ? 1 : 16_384
    for box in try MP4Box.boxes(bytes, in: table) {
      let body = box.body
      // No file has more of anything than packets.
      func entries(at start: Int64, bitCount: Int64) throws(DecodingError) -> Table {
        let count = Int64(try bytes.bigEndian(UInt32.self, at: body.lowerBound + start - 4) ?? 0)
        let room = max(0, body.upperBound - body.lowerBound - start) * 8 / bitCount
        return Table(start: body.lowerBound + start, count: min(count, room, Packet.maximumCount + 1))
      }
      if box.isType("stts") { durations = try entries(at: 8, bitCount: 64) }
      if box.isType("stsc") { chunkRuns = try entries(at: 8, bitCount: 96) }
      if box.isType("stco") { chunks = try entries(at: 8, bitCount: 32) }
      if box.isType("co64") {
        chunks = try entries(at: 8, bitCount: 64)
        hasLongOffsets = true
      }
      if box.isType("stsz") {
        uniformSize = Int64(try bytes.bigEndian(UInt32.self, at: body.lowerBound + 4) ?? 0)
        sizes = try entries(at: 12, bitCount: 32)
        if uniformSize == 1, let bytesPerSample { uniformSize = bytesPerSample }
        if uniformSize > 0 {
          // No more samples than the file has room for.
          let count = Int64(try bytes.bigEndian(UInt32.self, at: body.lowerBound + 8) ?? 0)
          let greatestCount = (Packet.maximumCount + 1) * samplesPerPacket
          sizes = Table(start: sizes.start, count: min(count, bytes.byteCount / uniformSize, greatestCount))
        }
      }
      if box.isType("stz2") {
        sizeBitCount = Int64(try bytes.bigEndian(UInt8.self, at: body.lowerBound + 7) ?? 0)
        if [4, 8, 16].contains(sizeBitCount) { sizes = try entries(at: 12, bitCount: sizeBitCount) }
      }
    }
  }
}

/// Where the walk over the sample tables is.
struct MP4TableCursor {
  /// The next sample.
  private(set) var sample: Int64 = 0
  private var chunk: Int64 = -1
  private var chunkRun: Int64 = 0
  private var samplesLeftInChunk: Int64 = 0
  private var offset: Int64 = 0
  private var durationRun: Int64 = 0
  private var samplesLeftOfDuration: Int64 = 0
  private var duration: Int64 = 0
}

extension MP4TableCursor {
  /// One file behind several buffers, so that tables that are read in turn do not push each other out.
  final class Buffers {
    let durations, chunkRuns, chunks, sizes: BufferedBytes

    init(_ file: FileBytes) {
      (durations, chunkRuns) = (BufferedBytes(file), BufferedBytes(file))
      (chunks, sizes) = (BufferedBytes(file), BufferedBytes(file))
    }
  }

  /// The next sample; nil at the end of the tables.
  mutating func next(_ tables: MP4SampleTables, _ buffers: Buffers) throws(DecodingError) -> Packet? {
    guard sample < tables.sizes.count else { return nil }
    while samplesLeftInChunk == 0 { guard try enterNextChunk(tables, buffers) else { return nil } }
    while samplesLeftOfDuration == 0 { guard try enterNextDuration(tables, buffers) else { break } }
    guard var size = try size(tables, buffers) else { return nil }
    var count: Int64 = 1
    if tables.uniformSize > 0, tables.samplesPerPacket > 1 {
      count = min(tables.samplesPerPacket, samplesLeftInChunk, tables.sizes.count - sample)
      size *= count
    }
    let start = offset
    // Impossible numbers end up behind the end of the file.
    offset = offset.addingReportingOverflow(size).partialValue
    guard start >= 0, offset >= start else { return nil }
    sample += count
    samplesLeftInChunk -= count
    if samplesLeftOfDuration > 0 { samplesLeftOfDuration -= 1 }
    return Packet(range: start..<offset, tickCount: duration)
  }

  private mutating func enterNextChunk(_ tables: MP4SampleTables, _ buffers: Buffers) throws(DecodingError) -> Bool {
    chunk += 1
    guard chunk < tables.chunks.count else { return false }
    let place = tables.chunks.start + chunk * (tables.hasLongOffsets ? 8 : 4)
    let found =
      tables.hasLongOffsets
      ? try buffers.chunks.bigEndian(UInt64.self, at: place).map { Int64(clamping: $0) }
      : try buffers.chunks.bigEndian(UInt32.self, at: place).map { Int64($0) }
    guard let found else { return false }
    offset = found
    // The runs count chunks from 1.
    while chunkRun + 1 < tables.chunkRuns.count,
      let first = try buffers.chunkRuns.bigEndian(UInt32.self, at: tables.chunkRuns.start + 12 * (chunkRun + 1)),
      Int64(first) <= chunk + 1
    { chunkRun += 1 }
    guard chunkRun < tables.chunkRuns.count,
      let count = try buffers.chunkRuns.bigEndian(UInt32.self, at: tables.chunkRuns.start + 12 * chunkRun + 4)
    else { return false }
    samplesLeftInChunk = Int64(count)
    return true
  }

  private mutating func enterNextDuration(_ tables: MP4SampleTables, _ buffers: Buffers) throws(DecodingError) -> Bool {
    guard durationRun < tables.durations.count else { return false }
    let place = tables.durations.start + 8 * durationRun
    guard let count = try buffers.durations.bigEndian(UInt32.self, at: place),
      let ticks = try buffers.durations.bigEndian(UInt32.self, at: place + 4)
    else { return false }
    (samplesLeftOfDuration, duration) = (Int64(count), Int64(ticks))
    durationRun += 1
    return true
  }

  private func size(_ tables: MP4SampleTables, _ buffers: Buffers) throws(DecodingError) -> Int64? {
    if tables.uniformSize > 0 { return tables.uniformSize }
    let place = tables.sizes.start + sample * tables.sizeBitCount / 8
    switch tables.sizeBitCount {
    case 4:
      let pair = try buffers.sizes.bigEndian(UInt8.self, at: place)
      return pair.map { Int64(sample.isMultiple(of: 2) ? $0 >> 4 : $0 & 15) }
    case 8: return try buffers.sizes.bigEndian(UInt8.self, at: place).map { Int64($0) }
    case 16: return try buffers.sizes.bigEndian(UInt16.self, at: place).map { Int64($0) }
    default: return try buffers.sizes.bigEndian(UInt32.self, at: place).map { Int64($0) }
    }
  }
}
