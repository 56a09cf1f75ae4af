internal import Base
import MediaModel

/// What a Core Audio file says about packets that are decoded one by one (Apple Core Audio Format Specification 1.0,
/// "Audio Description", "Packet Table" and "Magic Cookie Chunk").
struct CAFPacketTable {
  /// Of the table's own numbers, before the sizes.
  static let headByteCount = 24

  /// Of the format, such as `aac `.
  let format: String
  let sampleRateInHz: Int
  /// 0 if the table has the size of each.
  let bytesPerPacket: Int
  /// What the decoder has to know.
  let cookie: [UInt8]
  /// Where the sizes are.
  let sizes: Range<Int64>
  let packetCount: Int64
  /// Of the recording, and before it.
  let frameCount: Int64
  let delayFrameCount: Int

  /// nil if the chunk is too short.
  init?(
    _ bytes: BufferedBytes, chunk: Range<Int64>, format: String, sampleRateInHz: Int, bytesPerPacket: Int,
    cookie: [UInt8]
  ) throws(DecodingError) {
    let head = try bytes.copy(at: chunk.lowerBound, count: Self.headByteCount)
    guard chunk.upperBound - chunk.lowerBound >= Int64(Self.headByteCount),
      let packetCount = head.bigEndian(Int64.self, at: 0), let frameCount = head.bigEndian(Int64.self, at: 8),
      let delay = head.bigEndian(Int32.self, at: 16), packetCount > 0, frameCount >= 0
    else { return nil }
    self.format = format
    self.sampleRateInHz = sampleRateInHz
    self.bytesPerPacket = bytesPerPacket
    self.cookie = cookie
    self.packetCount = packetCount
    self.frameCount = frameCount
    delayFrameCount = Int(max(0, delay))
    sizes = chunk.lowerBound + Int64(Self.headByteCount)..<chunk.upperBound
  }

  /// How the packets are decoded; throws if there is no decoder for them.
  var form: PacketForm {
    get throws(DecodingError) {
      guard format != "alac" else {
        var cookie = cookie
        // Old ones have the boxes of MP4 before it.
        if cookie.has("frma", at: 4) { cookie.removeFirst(12) }
        if cookie.has("alac", at: 4) { cookie.removeFirst(12) }
        return PacketForm(codec: try .alac(cookie: cookie), rules: .alac)
      }
      let configuration = ElementaryStream(cookie)?.decoderConfiguration ?? cookie
      guard let config = AudioSpecificConfig(configuration) else {
        throw .missing("usable AAC configuration", in: .caf)
      }
      return try .aac(config, extradata: configuration, in: .caf)
    }
  }
}

/// The packets of a Core Audio file, found in one walk over the table of their sizes.
struct CAFPackets: PacketSource {
  let table: CAFPacketTable
  /// The packets, one behind another, as far as the file has them.
  let data: Range<Int64>
  private(set) var packetCount: Int64 = 0
  private(set) var byteCount: Int64 = 0
  private(set) var index = SeekIndex<CAFPacketReader.Cursor>(stride: 64, sizeLimit: 8191, size: { _ in 1 })

  /// - Parameter onPacket: gets each packet whose bytes are all in the file.
  init(
    _ bytes: BufferedBytes, table: CAFPacketTable, data: Range<Int64>,
    onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    self.table = table
    self.data = data
    let reader = CAFPacketReader(bytes, packets: self)
    while packetCount < Packet.maximumCount {
      let cursor = reader.cursor
      guard let packet = try reader.next() else { break }
      index.add(cursor, at: packetCount)
      packetCount += 1
      byteCount += packet.range.upperBound - packet.range.lowerBound
      if let onPacket { try bytes.withBytes(of: packet) { onPacket($0) } }
    }
  }

  func makeReader(_ bytes: BufferedBytes) -> any PacketReader { CAFPacketReader(bytes, packets: self) }

  func account(to account: inout FileAccount) throws(DecodingError) {
    guard packetCount == table.packetCount else { return }
    try account.leave(data.lowerBound + byteCount..<data.upperBound)
  }
}

extension PacketTrack {
  /// Of a Core Audio file.
  init(_ packets: CAFPackets, form: PacketForm, bytes: BufferedBytes) throws(DecodingError) {
    try self.init(packets, container: .caf, codec: form.codec, bytes: bytes)
    let table = packets.table
    let isWhole = packets.packetCount == table.packetCount
    // The numbers count frames of the rate in the header, which is that of the output or of the core.
    let factor: Int64 = sampleRateInHz == 2 * table.sampleRateInHz ? 2 : 1
    let delay = min(Int64(table.delayFrameCount) * factor, frameCount)
    if delay > 0 { delayFrameCount = Int(delay) }
    skippedFrameCount = delay
    frameCount -= delay
    let (declared, isTooMany) = table.frameCount.multipliedReportingOverflow(by: factor)
    if declared > 0, !isTooMany {
      // FFmpeg counts the last packet as if it were full.
      let isEstimate = codec.codec.isLossless && declared == frameCount
      if !isEstimate { declaredFrameCount = declared }
      if isWhole, declared > frameCount { notes.append("header-lies") }
      frameCount = min(frameCount, declared)
    }
    guard !isWhole else { return }
    ownProblem = Problem(
      code: "truncated", reason: "truncated: \(packets.packetCount) of \(table.packetCount) packets are in the file",
      positionInSeconds: Double(frameCount) / Double(max(1, sampleRateInHz)))
  }
}

/// Gives the packets of a Core Audio file in order.
final class CAFPacketReader: PacketReader {
  struct Cursor {
    fileprivate var number: Int64 = 0
    fileprivate var sizeOffset: Int64
    fileprivate var offset: Int64
  }

  let bytes: BufferedBytes
  private let packets: CAFPackets
  /// The table has a buffer of its own, because it is read in turns with the packets.
  private let sizes: BufferedBytes
  private(set) var cursor: Cursor

  init(_ bytes: BufferedBytes, packets: CAFPackets) {
    self.bytes = bytes
    self.packets = packets
    sizes = BufferedBytes(bytes.file)
    cursor = Cursor(sizeOffset: packets.table.sizes.lowerBound, offset: packets.data.lowerBound)
  }

  func next() throws(DecodingError) -> Packet? {
    guard cursor.number < packets.table.packetCount else { return nil }
    var next = cursor
    guard let size = try nextSize(&next.sizeOffset), size <= Packet.maximumByteCount,
      size <= packets.data.upperBound - cursor.offset
    else { return nil }
    next.number += 1
    next.offset += size
    defer { cursor = next }
    return Packet(range: cursor.offset..<next.offset)
  }

  func go(toPacket target: Int64) throws(DecodingError) {
    if let entry = packets.index.entry(atOrBefore: target), cursor.number > target || entry.position > cursor.number {
      cursor = entry.value
    }
    while cursor.number < target { guard try next() != nil else { return } }
  }

  /// Seven bits in each byte, the highest first; nil at the end of the table, or for a size that no packet has.
  private func nextSize(_ offset: inout Int64) throws(DecodingError) -> Int64? {
    if packets.table.bytesPerPacket > 0 { return Int64(packets.table.bytesPerPacket) }
    var size: Int64 = 0
    for _ in 0..<5 where offset < packets.table.sizes.upperBound {
      guard let byte = try sizes.bigEndian(UInt8.self, at: offset) else { return nil }
      offset += 1
      size = size << 7 | Int64(byte & 0x7F)
      if byte & 0x80 == 0 { return size }
    }
    return nil
  }
}
