import MediaModel

/// How the packets of a track are decoded.
struct PacketCodec {
  let codec: Codec
  /// Of the core, if the decoder makes another one of it.
  let sampleRateInHz: Int
  /// 0 if only the decoder knows it.
  let channelCount: Int
  var channelOrder = AudioFormat.ChannelOrder.standard
  var bitsPerSample: Int?
  /// Frames of a packet at `sampleRateInHz`, of which the last packet may have fewer; nil if each packet states its
  /// own.
  let frameCountPerPacket: Int?
  /// What the packets do not say of themselves, for the hash of the stream.
  let identity: String
  /// The same by an earlier rule; nil if that was no other one.
  var replacedIdentity: String?
  let restart: PacketRestart
  /// Makes a decoder for the first packet.
  let makeDecoder: () throws(DecodingError) -> any PacketDecoder
}

/// How samples depend on the packets before.
enum PacketRestart: Hashable {
  /// Each packet is decoded by itself.
  case anywhere
  /// On some packets before: a jump decodes and drops as many.
  case preroll(packetCount: Int64)
  /// For ever, because of noise that is generated or predicted. So a decode is defined as a row of decodes: every
  /// `period` packets, which give even numbers of frames, a new decoder begins, which has decoded `prerollCount`
  /// packets before (docs/decisions/0034).
  case periodically(period: Int64, prerollCount: Int64)
  /// For ever, but the state of the decoder can be copied: states are kept, and a jump begins at the nearest one before
  /// (docs/decisions/0012).
  case fromSavedStates
}
