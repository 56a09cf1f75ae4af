import MediaModel

/// How the packets of a track are decoded.
struct PacketCodec: Hashable {
  let codec: Codec
  let decoder: PacketDecoderKind
  /// Of the core, if the decoder makes another one of it.
  let sampleRateInHz: Int
  /// 0 if only the decoder knows it.
  let channelCount: Int
  var channelOrder = AudioFormat.ChannelOrder.standard
  var bitsPerSample: Int?
  /// Frames of a packet at `sampleRateInHz`, of which the last packet may have fewer; nil if each packet states its own.
  let frameCountPerPacket: Int?
  /// What the packets do not say of themselves, for the hash of the stream.
  let identity: String
  /// The same by an earlier rule; nil if that was no other one.
  var replacedIdentity: String?
  let restart: PacketRestart

  /// A decoder for the first packet.
  func makeDecoder() throws(DecodingError) -> any PacketDecoder {
    switch decoder {
    case .ffmpeg(let name, let extradata): try FFmpegDecoder(self, name: name, extradata: extradata)
    case .opus(let head): OggCodecDecoder(try OpusPacketDecoder(head: head))
    case .vorbis(let headers): OggCodecDecoder(try VorbisHeaders(headers).makeDecoder())
    }
  }
}

/// What decodes the packets of a track.
enum PacketDecoderKind: Hashable {
  /// FFmpeg's decoder of a name, and what it has to know before the first packet.
  case ffmpeg(String, extradata: [UInt8] = [])
  /// libopus, with the first header packet.
  case opus(head: [UInt8])
  /// libavcodec or libvorbis, with the three header packets.
  case vorbis(headers: [[UInt8]])
}

/// How samples depend on the packets before.
enum PacketRestart: Hashable {
  /// Each packet is decoded by itself.
  case anywhere
  /// On some packets before: a jump decodes and drops as many.
  case preroll(packetCount: Int64)
  /// For ever, because of noise that is generated or predicted. So a decode is defined as a row of decodes: every
  /// `period` packets, which give even numbers of frames, a new decoder begins, which has decoded `prerollCount` packets
  /// before (docs/decisions/0034).
  case periodically(period: Int64, prerollCount: Int64)
  /// For ever, but the state of the decoder can be copied: states are kept, and a jump begins at the nearest one before
  /// (docs/decisions/0012).
  case fromSavedStates
}

extension PacketCodec {
  /// AAC, with any kind of spectral band replication.
  static func aac(_ config: AudioSpecificConfig, extradata: [UInt8]) -> PacketCodec {
    PacketCodec(
      codec: .aac, decoder: .ffmpeg("aac", extradata: extradata), sampleRateInHz: config.sampleRateInHz,
      channelCount: config.channelCount, frameCountPerPacket: config.frameCountPerPacket,
      identity: config.identity, replacedIdentity: config.replacedIdentity,
      restart: .periodically(period: 2048, prerollCount: 32))
  }

  /// Apple Lossless.
  ///
  /// - Parameter cookie: The decoder's configuration of 24 bytes (ALACMagicCookieDescription.txt of the reference).
  static func alac(cookie: [UInt8]) throws(DecodingError) -> PacketCodec {
    guard cookie.count >= 24, let frameCount = cookie.bigEndian(UInt32.self, at: 0),
      let rate = cookie.bigEndian(UInt32.self, at: 20), (1...16_384).contains(frameCount)
    else { throw .missing("usable configuration of ALAC", in: .mp4) }
    // FFmpeg wants it as a box with version and flags.
    let box: [UInt8] = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + cookie[..<24]
    // Largest frame and average bit rate, at bytes 12 to 19, do not matter.
    let identity = cookie[0..<4] + cookie[5..<10] + cookie[20..<24]
    return PacketCodec(
      codec: .alac, decoder: .ffmpeg("alac", extradata: box), sampleRateInHz: Int(rate), channelCount: Int(cookie[9]),
      bitsPerSample: Int(cookie[5]), frameCountPerPacket: Int(frameCount),
      identity: identity.map { "\($0)" }.joined(separator: " "), restart: .anywhere)
  }
}
