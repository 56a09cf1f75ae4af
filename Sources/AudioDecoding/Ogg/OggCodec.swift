import MediaModel

/// What the first packet of a logical Ogg stream says of it.
enum OggCodec: Hashable {
  case vorbis, opus, speex, flac
  /// Video, text or metadata, by name.
  case other(String)

  init(firstPacket packet: UnsafeRawBufferPointer) {
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
      self = .other("Skeleton")
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

  /// nil for what is not audio.
  var codec: Codec? {
    switch self {
    case .vorbis: .vorbis
    case .opus: .opus
    case .speex: .speex
    case .flac: .flac
    case .other: nil
    }
  }

  /// Header packets behind the first one; nil where the first packet leaves it open.
  func furtherHeaderPacketCount(firstPacket packet: UnsafeRawBufferPointer) -> Int? {
    switch self {
    case .vorbis: return 2
    case .opus: return 1
    case .speex: return 1 + Int(min(packet.littleEndian(UInt32.self, at: 68) ?? 0, 64))
    case .flac:
      let count = Int(packet.bigEndian(UInt16.self, at: 7) ?? 0)
      return count == 0 ? nil : count
    case .other: return 0
    }
  }
}
