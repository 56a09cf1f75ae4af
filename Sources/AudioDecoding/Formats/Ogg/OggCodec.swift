package import MediaModel

/// What a logical Ogg stream holds, by its first packet.
package enum OggCodec: Hashable {
  case vorbis, opus, speex, flac
  /// Video, text or metadata, by name.
  case other(String)

  /// Of a stream that describes the others.
  static let indexName = "Skeleton"

  package init(firstPacket packet: [UInt8]) {
    if packet.has("vorbis", at: 1), packet[0] == 1 {
      self = .vorbis
    } else if packet.has("OpusHead", at: 0) {
      self = .opus
    } else if packet.has("Speex   ", at: 0) {
      self = .speex
    } else if packet.has("FLAC", at: 1), packet[0] == 0x7F {
      self = .flac
    } else if packet.has("theora", at: 1) {
      self = .other("Theora video")
    } else if packet.has("fishead", at: 0) {
      self = .other(Self.indexName)
    } else if packet.has("BBCD", at: 0) {
      self = .other("Dirac video")
    } else if packet.has("kate", at: 1) {
      self = .other("Kate text")
    } else {
      self = .other("unknown codec")
    }
  }

  /// As people write it.
  var displayName: String {
    switch self {
    case .vorbis: "Vorbis"
    case .opus: "Opus"
    case .speex: "Speex"
    case .flac: "FLAC"
    case .other(let name): name
    }
  }

  /// nil if it is not audio.
  package var codec: Codec? {
    switch self {
    case .vorbis: .vorbis
    case .opus: .opus
    case .speex: .speex
    case .flac: .flac
    case .other: nil
    }
  }

  /// Whether there is a decoder for it.
  var isDecodable: Bool { [.vorbis, .opus, .speex, .flac].contains(self) }

  /// Packets before the audio; nil if only the packets tell.
  package func headerPacketCount(firstPacket packet: [UInt8]) -> Int? {
    switch self {
    case .vorbis: 3
    case .opus: 2
    case .speex: SpeexHeader.packetCount(packet)
    case .other: 1
    case .flac: nil
    }
  }

  /// Header packets after the first one, by which version 1 of the stream's hash finds the pages of audio; nil if the
  /// first packet leaves it open.
  func furtherHeaderPacketCount(firstPacket packet: [UInt8]) -> Int? {
    switch self {
    case .vorbis: return 2
    case .opus: return 1
    case .speex: return SpeexHeader.packetCount(packet) - 1
    case .flac:
      let count = Int(packet.bigEndian(UInt16.self, at: 7) ?? 0)
      return count == 0 ? nil : count
    case .other: return 0
    }
  }
}

/// The header packets of the first audio stream of an Ogg file, one of which has its comments.
enum OggHeaderPages {
  /// The start of the second packet of the first audio stream, which has its comments, up to the page with which it
  /// becomes longer; empty if there is none.
  ///
  /// - Parameter checksSums: false to read pages with a wrong checksum, too.
  static func secondPacket(
    _ bytes: BufferedBytes, maximumByteCount: Int, checksSums: Bool = true
  ) throws(DecodingError) -> [UInt8] {
    var scanner = OggPageScanner(bytes, range: try OggPageScanner.range(bytes), checksSums: checksSums)
    var packet: [UInt8] = []
    var serial: UInt32?
    while let page = try scanner.next() {
      let body = try bytes.copy(at: page.bodyOffset, count: page.bodyByteCount)
      if page.isFirst {
        if serial == nil, OggCodec(firstPacket: body).codec != nil { serial = page.serial }
        continue
      }
      guard let serial else { break }
      guard page.serial == serial else { continue }
      let segments = page.lacing.firstIndex { $0 < 255 }.map { page.lacing[...$0] } ?? page.lacing[...]
      packet += body.prefix(segments.reduce(0) { $0 + Int($1) })
      if segments.last ?? 0 < 255 || packet.count > maximumByteCount { return packet }
    }
    return []
  }
}

extension ChannelMaskComment {
  /// That of the first audio stream of an Ogg file, whose second packet is the block of comments with its header (RFC
  /// 9639 section 10.1).
  static func channelMask(ofOgg bytes: BufferedBytes) throws(DecodingError) -> UInt32? {
    let packet = try OggHeaderPages.secondPacket(bytes, maximumByteCount: 4 + (1 << 24))
    guard let word = packet.bigEndian(UInt32.self, at: 0), word >> 24 & 0x7F == 4 else { return nil }
    return channelMask(in: Array(packet.dropFirst(4)))
  }
}
