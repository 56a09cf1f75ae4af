import MediaModel

/// Frames of DTS in a row (ETSI TS 102 114, sections 5.3 and 7.4), in one of four forms.
///
/// A packet is a frame of the core with what DTS-HD adds behind it. Only the core is decoded.
struct DTSSyntax: BareFrameSyntax {
  let container = Container.dts
  let rules = StreamHashers.Rules.dts
  let headByteCount = 16
  let codec: PacketCodec
  private let form: DTSHeader.Form

  /// nil if `head` is not the start of a frame of the core.
  init?(_ head: [UInt8]) {
    guard let header = DTSHeader(head) else { return nil }
    form = header.form
    codec = .dts(header)
  }

  func canBegin(with byte: UInt8) -> Bool { byte == form.sync[0] || byte == DTSHeader.extensionSync[0] }

  func frame(_ head: [UInt8]) -> BareFrame? {
    if let byteCount = DTSHeader.extensionByteCount(head) {
      return BareFrame(role: .continuation, byteCount: byteCount)
    }
    guard let header = DTSHeader(head), header.form == form, header.sampleRateInHz == codec.sampleRateInHz else {
      return nil
    }
    return BareFrame(byteCount: header.byteCount, frameCount: header.frameCount)
  }

  func complete(_ track: inout PacketTrack, of frames: BareFrames) {
    if frames.hasContinuations { track.notes.append("core-only") }
  }
}

/// What the first bytes of a frame of the DTS core say.
struct DTSHeader: Hashable {
  /// How the bits lie in words of 16 bits, of which the lower 14 may be used alone.
  enum Form: CaseIterable {
    case bigEndian, littleEndian, bigEndian14, littleEndian14

    var sync: [UInt8] {
      switch self {
      case .bigEndian: [0x7F, 0xFE, 0x80, 0x01]
      case .littleEndian: [0xFE, 0x7F, 0x01, 0x80]
      case .bigEndian14: [0x1F, 0xFF, 0xE8, 0x00]
      case .littleEndian14: [0xFF, 0x1F, 0x00, 0xE8]
      }
    }

    var bitCount: Int { self == .bigEndian || self == .littleEndian ? 16 : 14 }
    var isBigEndian: Bool { self == .bigEndian || self == .bigEndian14 }
  }

  static let firstBytes = Form.allCases.map { $0.sync[0] }
  static let extensionSync: [UInt8] = [0x64, 0x58, 0x20, 0x25]
  /// By number (table 5-5); 0 for those that have no meaning.
  private static let sampleRatesInHz = [
    0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000, 0, 0,
  ]

  let form: Form
  let byteCount: Int
  let frameCount: Int
  let sampleRateInHz: Int

  /// nil if it is no frame.
  init?(_ head: [UInt8]) {
    guard head.count >= 16, let form = Form.allCases.first(where: { head.starts(with: $0.sync) }) else { return nil }
    var bits = BitReader(Self.unpacked(head, form))
    guard bits.next(32) == 0x7FFE_8001, bits.next(1) != nil, bits.next(5) == 31, bits.next(1) != nil,
      let blockCount = bits.next(7), blockCount >= 5, let size = bits.next(14), size >= 95, bits.next(6) != nil,
      let rateNumber = bits.next(4), Self.sampleRatesInHz[rateNumber] > 0
    else { return nil }
    self.form = form
    byteCount = form.bitCount == 16 ? size + 1 : ((size + 1) * 8 + 13) / 14 * 2
    frameCount = 32 * (blockCount + 1)
    sampleRateInHz = Self.sampleRatesInHz[rateNumber]
  }

  /// The length of a frame of DTS-HD; nil if it is none.
  static func extensionByteCount(_ head: [UInt8]) -> Int? {
    guard head.starts(with: extensionSync) else { return nil }
    var bits = BitReader(Array(head.dropFirst(5)))
    guard bits.next(2) != nil, let isLong = bits.next(1), let headerByteCount = bits.next(isLong == 1 ? 12 : 8),
      let byteCount = bits.next(isLong == 1 ? 20 : 16), byteCount > headerByteCount
    else { return nil }
    return byteCount + 1
  }

  /// The bits in a row.
  private static func unpacked(_ head: [UInt8], _ form: Form) -> [UInt8] {
    var result: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for index in stride(from: 0, to: 16, by: 2) {
      let (high, low) = form.isBigEndian ? (head[index], head[index + 1]) : (head[index + 1], head[index])
      let word = UInt32(high) << 8 | UInt32(low)
      bits = bits << UInt32(form.bitCount) | word & (1 << UInt32(form.bitCount) - 1)
      count += form.bitCount
      while count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }
}

extension PacketCodec {
  /// The core of DTS, whose frames say everything.
  static func dts(_ header: DTSHeader) -> PacketCodec {
    // Filters remember half a frame; short frames, and what is predicted from earlier frames, need more of them.
    .ffmpeg(
      "dca", codec: .dts, sampleRateInHz: header.sampleRateInHz, channelCount: 0, frameCountPerPacket: nil,
      restart: .preroll(packetCount: 8))
  }
}

extension StreamHashers.Rules {
  static let dts = ofFrames("dts")
}

extension TrackForm {
  /// DTS in another container.
  static var dts: TrackForm {
    .bare(canBegin: { DTSHeader.firstBytes.contains($0) }) { DTSSyntax($0) }
  }
}
