import MediaModel

/// One packet of a track, where it lies in the file.
struct Packet {
  /// Longer ones are damage: the longest of real files have some 200 KB.
  static let maximumByteCount: Int64 = 16 << 20

  let range: Range<Int64>
  /// How long it sounds by its container, in ticks of the track; 0 if the container does not say it.
  let tickCount: Int64
}

/// Gives the packets of one track in the order in which they are decoded.
protocol PacketReader: AnyObject {
  /// The next packet; nil at the end.
  func next() throws(DecodingError) -> Packet?

  /// Makes packet `number` the next one; behind the last one it is the end.
  func go(toPacket number: Int64) throws(DecodingError)
}

extension BufferedBytes {
  /// Lends the bytes of a packet, fewer at the end of the file.
  func withBytes<Result>(
    of packet: Packet, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    let count = Int(min(packet.range.upperBound - packet.range.lowerBound, Packet.maximumByteCount))
    if count <= Self.bufferSize { return try withBytes(at: packet.range.lowerBound, count: count, body) }
    let copy = try file.bytes(at: packet.range.lowerBound, count: count)
    var failure: DecodingError?
    let result = copy.withUnsafeBytes { bytes -> Result? in
      do throws(DecodingError) { return try body(bytes) } catch {
        failure = error
        return nil
      }
    }
    guard let result else { throw failure ?? .unsupported(reason: "no packet") }
    return result
  }
}

/// How the packets of a track are decoded.
struct PacketCodec: Hashable {
  let codec: Codec
  /// FFmpeg's name of the decoder.
  let decoderName: String
  /// What the decoder has to know before the first packet.
  let extradata: [UInt8]
  /// Of the core, if the decoder makes another one of it.
  let sampleRateInHz: Int
  /// 0 if only the decoder knows it.
  let channelCount: Int
  var bitsPerSample: Int?
  /// Frames of a packet at `sampleRateInHz`; the last packet may have fewer.
  let frameCountPerPacket: Int
  /// The rules of its hash, and what the packets do not say of themselves.
  let rules: StreamHashers.Rules
  let identity: String
  let restart: PacketRestart
}

/// How samples depend on the packets before.
enum PacketRestart: Hashable {
  /// Each packet is decoded by itself.
  case anywhere
  /// For ever, because of noise that is generated or predicted. So a decode is defined as a row of decodes: every
  /// `period` packets a new decoder begins, which has decoded `prerollCount` packets before (docs/decisions/0034).
  case periodically(period: Int64, prerollCount: Int64)
}

extension PacketCodec {
  /// AAC, with any kind of spectral band replication.
  static func aac(_ config: AudioSpecificConfig, extradata: [UInt8]) -> PacketCodec {
    PacketCodec(
      codec: .aac, decoderName: "aac", extradata: extradata, sampleRateInHz: config.sampleRateInHz,
      channelCount: config.channelCount, frameCountPerPacket: config.frameCountPerPacket, rules: .aac,
      identity: config.identity, restart: .periodically(period: 2048, prerollCount: 32))
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
      codec: .alac, decoderName: "alac", extradata: box, sampleRateInHz: Int(rate), channelCount: Int(cookie[9]),
      bitsPerSample: Int(cookie[5]), frameCountPerPacket: Int(frameCount), rules: .alac,
      identity: identity.map { "\($0)" }.joined(separator: " "), restart: .anywhere)
  }
}
