import MediaModel

/// What a Musepack stream says of itself. A block is what Musepack calls a frame: 1,152 frames of sound.
///
/// Source: the specifications of stream versions 7 and 8 (trac.musepack.net).
struct MusepackHeader: Hashable {
  static let blockFrameCount: Int64 = 1152
  /// By which the decoder is late.
  static let delayFrameCount: Int64 = 481
  private static let greatestFrameCount: Int64 = 1 << 40

  /// 7 or 8.
  let version: Int
  let sampleRateInHz: Int
  let channelCount: Int
  let maximumBand: Int
  let hasMidSide: Bool
  let blockCountPerPacket: Int
  /// Frames of the recording; nil if it is not known.
  let frameCount: Int64?
  /// Frames of silence before the recording.
  let silentFrameCount: Int64
  /// Blocks that version 7 counts; nil in version 8.
  let blockCount: Int64?

  /// - Throws: if it is of another version, or impossible.
  init(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) {
    let head = try bytes.copy(at: offset, count: 64)
    self = try head.has("MPCK", at: 0) ? Self(version8: head) : Self(version7: head)
    guard (1...31).contains(maximumBand) else {
      throw .impossibleHeader("the Musepack header gives \(maximumBand) subbands")
    }
    if let frameCount, !(0...Self.greatestFrameCount).contains(frameCount) {
      throw .impossibleHeader("the Musepack header gives \(frameCount) frames")
    }
  }

  /// Blocks whose sound is needed; nil if the length is not known.
  var neededBlockCount: Int64? {
    frameCount.map {
      ($0 + silentFrameCount + Self.delayFrameCount + Self.blockFrameCount - 1) / Self.blockFrameCount
    }
  }

  /// Without which the packets mean something else.
  var identity: String {
    "\(version) \(sampleRateInHz) \(channelCount) \(maximumBand) \(hasMidSide ? 1 : 0) \(blockCountPerPacket)\n"
  }

  private init(version7 head: [UInt8]) throws(DecodingError) {
    guard head.count >= 28, head[3] & 15 == 7 else {
      throw .unsupported(
        reason: head.count < 28 ? "the Musepack header is truncated" : "no decoder for Musepack SV\(head[3] & 15)")
    }
    // Words of 32 bits, the lowest byte first, read from the highest bit on.
    let words = (0..<6).map { head.littleEndian(UInt32.self, at: 4 * $0) ?? 0 }
    guard words[2] >> 31 == 0 else { throw .unsupported(reason: "no decoder for Musepack with intensity stereo") }
    version = 7
    channelCount = 2
    blockCountPerPacket = 1
    hasMidSide = words[2] >> 30 & 1 == 1
    maximumBand = Int(words[2] >> 24 & 0x3F)
    sampleRateInHz = Self.sampleRates[Int(words[2] >> 16 & 3)]
    let count = Int64(words[1])
    blockCount = count
    // Without the flag, the length of the last block is not known.
    let last = Int64(words[5] >> 20 & 0x7FF)
    let missing =
      words[5] >> 31 == 1 ? (last == 0 ? 0 : Self.blockFrameCount - last) : Self.delayFrameCount
    frameCount = max(0, count * Self.blockFrameCount - missing)
    silentFrameCount = 0
  }

  /// The stream header must be the first packet.
  private init(version8 head: [UInt8]) throws(DecodingError) {
    guard head.has("SH", at: 4), let size = MusepackSize(head, at: 6), head.count > 4 + Int(clamping: size.value) else {
      throw .damaged(Problem(code: "malformed", reason: "the Musepack file has no stream header at its start"))
    }
    let start = 6 + size.byteCount
    // A checksum comes first.
    guard head[start + 4] == 8 else { throw .unsupported(reason: "no decoder for Musepack SV\(head[start + 4])") }
    guard let count = MusepackSize(head, at: start + 5),
      let silence = MusepackSize(head, at: start + 5 + count.byteCount),
      let flags = head.bigEndian(UInt16.self, at: start + 5 + count.byteCount + silence.byteCount),
      silence.value <= count.value || count.value == 0
    else { throw .impossibleHeader("the Musepack stream header is impossible") }
    version = 8
    sampleRateInHz = Self.sampleRates[Int(flags >> 13 & 3)]
    maximumBand = Int(flags >> 8 & 31) + 1
    channelCount = Int(flags >> 4 & 15) + 1
    hasMidSide = flags >> 3 & 1 == 1
    blockCountPerPacket = 1 << (2 * Int(flags & 7))
    frameCount = count.value == 0 ? nil : count.value - silence.value
    silentFrameCount = silence.value
    blockCount = nil
    guard flags >> 15 == 0, channelCount <= 2, silentFrameCount <= Self.greatestFrameCount else {
      throw .impossibleHeader("the Musepack stream header is impossible")
    }
  }

  private static let sampleRates = [44_100, 48_000, 37_800, 32_000]
}

/// A number of version 8: seven bits a byte, the highest ones first; the highest bit of a byte says that more follow.
struct MusepackSize {
  let value: Int64
  let byteCount: Int

  /// nil if it is longer than 56 bits, or than what is there.
  init?(_ bytes: [UInt8], at offset: Int) {
    var value: Int64 = 0
    for index in 0..<8 {
      guard offset + index < bytes.count else { return nil }
      value = value << 7 | Int64(bytes[offset + index] & 0x7F)
      if bytes[offset + index] < 0x80 {
        self.value = value
        byteCount = index + 1
        return
      }
    }
    return nil
  }
}
