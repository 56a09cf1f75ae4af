import MediaModel

/// How the packets of a track become sound, whichever container holds them.
enum TrackForm {
  /// A decoder gets packet by packet.
  case packets(PacketForm)
  /// One behind another they are a file of their own, which begins with `head`.
  case stream(SniffedContent, head: [UInt8] = [])
  /// They are samples. The layout has no range yet.
  case samples(PCMLayout)

  static func mpeg(layer: Int) -> TrackForm {
    switch layer {
    case 1: .stream(.audio(.mpeg, .mp1, name: "MPEG layer I"))
    case 2: .stream(.audio(.mpeg, .mp2, name: "MPEG layer II"))
    default: .stream(.audio(.mpeg, .mp3, name: "MP3"))
    }
  }

  /// AC-3, E-AC-3 or DTS.
  static func surround(_ codec: Codec) -> TrackForm {
    .stream(.audio(codec == .ac3 ? .ac3 : codec == .eac3 ? .eac3 : .dts, codec, name: codec.rawValue))
  }

  /// - Parameter header: `fLaC` and the metadata blocks, STREAMINFO first.
  static func flac(header: [UInt8], in container: Container) throws(DecodingError) -> TrackForm {
    guard header.has("fLaC", at: 0), FLACStreamInfo(Array(header.dropFirst(8))) != nil else {
      throw .missing("STREAMINFO of FLAC", in: container)
    }
    return .stream(.audio(.flac, .flac, name: "FLAC"), head: header)
  }

  /// Samples of whole bytes.
  static func pcm(
    sampleRateInHz: Int, channelCount: Int, bitsPerSample: Int, isFloat: Bool = false, isUnsigned8: Bool = true,
    isBigEndian: Bool
  ) throws(DecodingError) -> TrackForm {
    var layout = PCMLayout(whole: 0..<0, data: 0..<0, sampleRateInHz: sampleRateInHz, channelCount: channelCount)
    try layout.checkShape()
    try layout.setPCM(
      bitsPerSample: bitsPerSample, isFloat: isFloat, isUnsigned8: isUnsigned8, isBigEndian: isBigEndian)
    return .samples(layout)
  }

  static func law(_ codec: Codec, sampleRateInHz: Int, channelCount: Int) throws(DecodingError) -> TrackForm {
    var layout = PCMLayout(whole: 0..<0, data: 0..<0, sampleRateInHz: sampleRateInHz, channelCount: channelCount)
    try layout.checkShape()
    layout.setLaw(codec)
    return .samples(layout)
  }

  /// The stream that joined packets hold.
  func find(in bytes: BufferedBytes, hashers: StreamHashers?) throws(DecodingError) -> StreamLayout {
    switch self {
    case .packets: return .none
    case .stream(let content, _): return try StreamLayout.find(bytes, content: content, hashers: hashers)
    case .samples(var layout):
      (layout.whole, layout.data) = (0..<bytes.byteCount, 0..<bytes.byteCount)
      return .pcm(layout)
    }
  }
}
