import MediaModel

/// AMR and AMR-WB in their storage format (RFC 4867 section 5): a mark, then frames of speech of 20 ms each.
struct AMRFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["amr": [.amr], "awb": [.amr]]

  func sniff(_ start: FileStart) -> SniffedContent? {
    guard start.has("#!AMR", at: 0) else { return nil }
    guard let band = AMRBand(start.head) else { return .audio(.amr, nil, name: "AMR") }
    return .audio(.amr, band.codec, name: band.name)
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    let head = try file.bytes.copy(at: range.lowerBound, count: AMRBand.longestMarkByteCount)
    guard let band = AMRBand(head) else {
      let hasChannels = head.dropFirst(5).starts(with: "_MC".utf8) || head.dropFirst(5).starts(with: "-WB_MC".utf8)
      throw .unsupported(reason: hasChannels ? "no decoder for AMR with several channels" : "no decoder for AMR")
    }
    let frames = min(range.lowerBound + Int64(band.mark.count), range.upperBound)..<range.upperBound
    return try PacketTrack(bare: file.bytes, range: frames, AMRSyntax(band: band), hash: hashers?.current)
  }
}

extension Container {
  static let amr = Container(rawValue: "amr")
}

extension Codec {
  static let amrNarrowband = Codec(rawValue: "amr_nb")
  static let amrWideband = Codec(rawValue: "amr_wb")
}

/// The two codecs of the family.
enum AMRBand: Hashable, CaseIterable {
  case narrow, wide

  static let longestMarkByteCount = 16

  /// The one whose mark `head` begins with; nil if it is none, or that of several channels.
  init?(_ head: [UInt8]) {
    guard let band = Self.allCases.first(where: { head.starts(with: $0.mark) }) else { return nil }
    self = band
  }

  var mark: [UInt8] { Array((self == .narrow ? "#!AMR\n" : "#!AMR-WB\n").utf8) }
  var name: String { self == .narrow ? "AMR" : "AMR-WB" }
  var codec: Codec { self == .narrow ? .amrNarrowband : .amrWideband }
  /// FFmpeg's, of its decoder.
  var decoderName: String { self == .narrow ? "amrnb" : "amrwb" }
  var sampleRateInHz: Int { self == .narrow ? 8000 : 16_000 }
  var frameCountPerPacket: Int { sampleRateInHz / 50 }

  /// Bytes of speech by frame type (3GPP TS 26.101 and 26.201, annex A); nil for types that are not used.
  private static let byteCounts: [AMRBand: [Int?]] = [
    .narrow: [12, 13, 15, 17, 19, 20, 26, 31, 5, nil, nil, nil, nil, nil, nil, 0],
    .wide: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, nil, nil, nil, nil, 0, 0],
  ]

  func byteCount(ofFrameType type: Int) -> Int? { Self.byteCounts[self]?[type] }

  /// Whether a frame of a type has speech. Others describe the noise between words, or say that nothing came.
  func isSpeech(_ type: Int) -> Bool { type < (self == .narrow ? 8 : 9) }
}
