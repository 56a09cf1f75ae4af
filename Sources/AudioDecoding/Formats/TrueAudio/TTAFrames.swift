internal import Base
import MediaModel

/// Where a True Audio file has its frames, by the table of their sizes (TTA1 format description).
struct TTAFrames {
  private static let headerByteCount = 22

  let channelCount: Int
  let bitsPerSample: Int
  let sampleRateInHz: Int
  /// Frames of sound that the file promises.
  let declaredFrameCount: Int64
  /// Packets whose bytes are all in the file, from the first one on, and their bytes.
  private(set) var packetCount: Int64 = 0
  private(set) var byteCount: Int64 = 0
  /// Packets of which the sizes say that they are there.
  let declaredPacketCount: Int64
  /// File offsets by number of packet.
  private(set) var index = SeekIndex<Int64>(stride: 64)
  /// Where the table begins.
  fileprivate let tableOffset: Int64
  /// Behind the packets that are there. The table has a checksum behind it.
  var end: Int64 { tableOffset + 4 * (declaredPacketCount + 1) + byteCount }

  /// - Parameter onPacket: gets each packet whose bytes are all in the file.
  init(
    _ bytes: BufferedBytes, range: Range<Int64>, onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    let head = try bytes.copy(at: range.lowerBound, count: Self.headerByteCount)
    guard head.count == Self.headerByteCount, head.has("TTA1", at: 0),
      let format = head.littleEndian(UInt16.self, at: 4),
      let channels = head.littleEndian(UInt16.self, at: 6), let bits = head.littleEndian(UInt16.self, at: 8),
      let rate = head.littleEndian(UInt32.self, at: 10), let count = head.littleEndian(UInt32.self, at: 14)
    else { throw .unsupported(reason: "no decoder for this version of True Audio") }
    guard format != 2 else { throw .unsupported(reason: "True Audio is encrypted with a password") }
    _ = try AudioFormat.checked(
      sampleRateInHz: Int(rate), channelCount: Int(channels), sampleEncoding: .integer)
    guard (8...32).contains(bits) else { throw .impossibleHeader("the header gives \(bits) bits per sample") }
    channelCount = Int(channels)
    bitsPerSample = Int(bits)
    sampleRateInHz = Int(rate)
    declaredFrameCount = Int64(count)
    let perPacket = Int64(256 * Int(rate) / 245)
    guard perPacket > 0 else { throw .impossibleHeader("the header gives a sample rate of \(rate) Hz") }
    declaredPacketCount = (Int64(count) + perPacket - 1) / perPacket
    tableOffset = range.lowerBound + Int64(Self.headerByteCount)

    let reader = TTAFrameReader(bytes, frames: self)
    while packetCount < declaredPacketCount {
      let offset = reader.offset
      guard let packet = try reader.next(), packet.range.upperBound <= range.upperBound else { break }
      index.add(offset, at: packetCount)
      packetCount += 1
      byteCount += packet.range.upperBound - packet.range.lowerBound
      if let onPacket { try bytes.withBytes(of: packet) { onPacket($0) } }
    }
  }

  var codec: PacketCodec {
    PacketCodec.tta(
      channelCount: channelCount, bitsPerSample: bitsPerSample, sampleRateInHz: sampleRateInHz,
      frameCount: UInt32(clamping: declaredFrameCount))
  }
}

extension TTAFrames: PacketSource {
  func makeReader(_ bytes: BufferedBytes) -> any PacketReader { TTAFrameReader(bytes, frames: self) }

  func account(to account: inout FileAccount) throws(DecodingError) {
    guard packetCount == declaredPacketCount else { return }
    try account.leave(end..<(try TagBounds(account.bytes).audio.upperBound))
  }
}

extension PacketCodec {
  /// True Audio.
  ///
  /// - Parameter frameCount: of the whole stream; the decoder knows the last frame by it.
  static func tta(channelCount: Int, bitsPerSample: Int, sampleRateInHz: Int, frameCount: UInt32) -> PacketCodec {
    var header = ByteWriter()
    header.append(raw: "TTA1".utf8)
    for number in [1, channelCount, bitsPerSample] { header.append(UInt16(clamping: number)) }
    for number in [UInt32(clamping: sampleRateInHz), frameCount] { header.append(number) }
    header.append(CRC32.checksum(header.bytes))
    return .ffmpeg(
      "tta", extradata: header.bytes, codec: .trueAudio, sampleRateInHz: sampleRateInHz, channelCount: channelCount,
      bitsPerSample: bitsPerSample, frameCountPerPacket: 256 * sampleRateInHz / 245,
      identity: "\(sampleRateInHz) \(channelCount) \(bitsPerSample)", restart: .anywhere)
  }
}

extension PacketTrack {
  /// Of a True Audio file.
  init(_ frames: TTAFrames, bytes: BufferedBytes) throws(DecodingError) {
    try self.init(frames, container: .trueAudio, codec: frames.codec, bytes: bytes)
    declaredFrameCount = frames.declaredFrameCount
    frameCount = min(frameCount, frames.declaredFrameCount)
    if frames.packetCount < frames.declaredPacketCount {
      ownProblem = .truncated(
        frameCount: frameCount, declaredFrameCount: frames.declaredFrameCount, sampleRateInHz: sampleRateInHz)
    }
  }
}

/// Gives the packets of a True Audio file in order.
final class TTAFrameReader: PacketReader {
  let bytes: BufferedBytes
  private let frames: TTAFrames
  /// The table has a buffer of its own, because it is read in turns with the packets.
  private let table: BufferedBytes
  private var number: Int64 = 0
  /// Of the next packet.
  private(set) var offset: Int64

  init(_ bytes: BufferedBytes, frames: TTAFrames) {
    self.bytes = bytes
    self.frames = frames
    table = BufferedBytes(bytes.file)
    // Behind the table is its checksum.
    offset = frames.tableOffset + 4 * (frames.declaredPacketCount + 1)
  }

  func next() throws(DecodingError) -> Packet? {
    guard number < frames.declaredPacketCount else { return nil }
    let size = try table.withBytes(at: frames.tableOffset + 4 * number, count: 4) {
      $0.littleEndian(UInt32.self, at: 0)
    }
    guard let size, size > 4, size <= Packet.maximumByteCount else { return nil }
    let range = offset..<offset + Int64(size)
    number += 1
    offset = range.upperBound
    return Packet(range: range)
  }

  func go(toPacket target: Int64) throws(DecodingError) {
    if let entry = frames.index.entry(atOrBefore: target), number > target || entry.position > number {
      (number, offset) = (entry.position, entry.value)
    }
    while number < target { guard try next() != nil else { return } }
  }
}
