import MediaModel

/// Frames of AC-3 or E-AC-3 in a row (ETSI TS 102 366, sections 4.3 and E.1.2).
///
/// A packet is a frame with those of its dependent substreams, which add channels. Other programs are left out.
struct AC3Syntax: BareFrameSyntax {
  static let sync: [UInt8] = [0x0B, 0x77]

  let codec: PacketCodec
  let rules = StreamHashers.Rules.ac3
  let headByteCount = 6
  let otherFramesAreSound = true

  /// nil if `head` is not the start of a frame.
  init?(_ head: [UInt8]) {
    guard let header = AC3Header(head), header.role == .packet else { return nil }
    codec = .ac3(header)
  }

  var container: Container { codec.codec == .ac3 ? .ac3 : .eac3 }

  func canBegin(with byte: UInt8) -> Bool { byte == 0x0B }

  func frame(_ head: [UInt8]) -> BareFrame? {
    guard let header = AC3Header(head), header.sampleRateInHz == codec.sampleRateInHz else { return nil }
    return BareFrame(role: header.role, byteCount: header.byteCount, frameCount: header.frameCount)
  }
}

/// What the first bytes of a frame of AC-3 or E-AC-3 say.
struct AC3Header: Hashable {
  let isEnhanced: Bool
  let role: BareFrame.Role
  let byteCount: Int
  let frameCount: Int
  let sampleRateInHz: Int

  /// nil if it is no frame.
  init?(_ head: [UInt8]) {
    guard head.count >= 6, head[0] == 0x0B, head[1] == 0x77 else { return nil }
    let version = Int(head[5] >> 3)
    guard version <= 16 else { return nil }
    isEnhanced = version > 10
    let rateNumber = Int(head[4] >> 6)
    if isEnhanced {
      let type = head[2] >> 6
      guard type < 3 else { return nil }
      role = type == 1 ? .continuation : head[2] >> 3 & 7 == 0 ? .packet : .other
      byteCount = (Int(head[2] & 7) << 8 | Int(head[3])) * 2 + 2
      let number = Int(head[4] >> 4 & 3)
      if rateNumber == 3 {
        guard number < 3 else { return nil }
        sampleRateInHz = AC3FrameLength.sampleRatesInHz[number] / 2
        frameCount = 1536
      } else {
        sampleRateInHz = AC3FrameLength.sampleRatesInHz[rateNumber]
        frameCount = 256 * [1, 2, 3, 6][number]
      }
    } else {
      guard let wordCount = AC3FrameLength.wordCount(rateCode: rateNumber, sizeCode: Int(head[4] & 63)) else {
        return nil
      }
      role = .packet
      frameCount = 1536
      byteCount = 2 * wordCount
      sampleRateInHz = AC3FrameLength.sampleRatesInHz[rateNumber] >> max(0, version - 8)
    }
    guard byteCount > 6 else { return nil }
  }
}

extension PacketCodec {
  /// AC-3 or E-AC-3, whose frames say everything.
  static func ac3(_ header: AC3Header) -> PacketCodec {
    .ffmpeg(
      header.isEnhanced ? "eac3" : "ac3", codec: header.isEnhanced ? .eac3 : .ac3,
      sampleRateInHz: header.sampleRateInHz, channelCount: 0, frameCountPerPacket: nil,
      restart: .preroll(packetCount: 2))
  }
}

extension StreamHashers.Rules {
  static let ac3 = ofFrames("ac3")
}

extension TrackForm {
  /// AC-3 or E-AC-3 in another container.
  static var ac3: TrackForm {
    .bare(canBegin: { $0 == AC3Syntax.sync[0] }) { AC3Syntax($0) }
  }
}
