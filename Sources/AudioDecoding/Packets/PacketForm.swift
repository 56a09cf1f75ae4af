import MediaModel

/// How packets are decoded, and what else a container needs for them.
struct PacketForm {
  let codec: PacketCodec
  let rules: StreamHashers.Rules
  /// Of packets that give different numbers of frames.
  var durations: OggPacketDurations?
  /// What the hash of Opus and Vorbis has before the packets.
  var configuration: [[UInt8]] = []
  /// What the codec itself says about its start and its gain.
  var delayFrameCount: Int?
  var outputGain = 0

  /// What hashes the packets: each is added, then comes the end.
  func hasher(_ hashers: StreamHashers) -> (add: (UnsafeRawBufferPointer) -> Void, finish: () -> Void) {
    if configuration.isEmpty {
      let hasher = PacketHasher(hashers.current, rules: rules)
      return (
        hasher.add,
        {
          hasher.finish(
            identity: codec.identity, replacedIdentity: codec.replacedIdentity, replaced: hashers.replaced)
        }
      )
    }
    let hasher = OggPacketHasher(hashers.current, rules: rules, configuration: configuration)
    return (hasher.add, hasher.finish)
  }

  /// AAC, if its type has a decoder.
  static func aac(
    _ config: AudioSpecificConfig, extradata: [UInt8], in container: Container
  ) throws(DecodingError) -> PacketForm {
    guard [1, 2, 4].contains(config.objectType) else {
      throw .unsupported(
        reason: "no decoder for MPEG-4 audio of type \(config.objectType) in \(container.displayName)")
    }
    return PacketForm(codec: .aac(config, extradata: extradata), rules: .aac)
  }

  /// - Parameter head: the first header packet.
  static func opus(head: [UInt8], in container: Container) throws(DecodingError) -> PacketForm {
    guard head.has("OpusHead", at: 0), let delay = head.littleEndian(UInt16.self, at: 10),
      let gain = head.littleEndian(Int16.self, at: 16), head.count >= 19
    else { throw .missing("header of Opus", in: container) }
    let codec = PacketCodec(
      codec: .opus, decoder: .opus(head: head), sampleRateInHz: 48_000, channelCount: Int(head[9]),
      channelOrder: head[18] < 2 ? .vorbis : .unspecified, frameCountPerPacket: nil, identity: "",
      restart: .fromSavedStates)
    return PacketForm(
      codec: codec, rules: .opus, durations: .opus, configuration: [OpusPacketDecoder.configuration(head: head)],
      delayFrameCount: Int(delay), outputGain: Int(gain))
  }

  /// - Parameter lacedHeaders: the three header packets in one piece.
  static func vorbis(lacedHeaders: [UInt8], in container: Container) throws(DecodingError) -> PacketForm {
    try vorbis(headers: laced(lacedHeaders), in: container)
  }

  /// Several packets in one piece of bytes: their number less one, their sizes but the last, then they themselves.
  private static func laced(_ bytes: [UInt8]) -> [[UInt8]] {
    guard let last = bytes.first else { return [] }
    var sizes: [Int] = []
    var place = 1
    while sizes.count < Int(last) {
      var size = 0
      repeat {
        guard place < bytes.count else { return [] }
        size += Int(bytes[place])
        place += 1
      } while bytes[place - 1] == 255
      sizes.append(size)
    }
    var result: [[UInt8]] = []
    for size in sizes {
      guard size <= bytes.count - place else { return [] }
      result.append(Array(bytes[place..<place + size]))
      place += size
    }
    return result + [Array(bytes[place...])]
  }

  /// - Parameter headers: the three header packets.
  private static func vorbis(headers: [[UInt8]], in container: Container) throws(DecodingError) -> PacketForm {
    guard headers.count == 3, let rate = headers[0].littleEndian(UInt32.self, at: 12) else {
      throw .missing("headers of Vorbis", in: container)
    }
    guard let durations = try? VorbisHeaders(identification: headers[0], setup: headers[2]).durations else {
      throw .missing("usable headers of Vorbis", in: container)
    }
    let codec = PacketCodec(
      codec: .vorbis, decoder: .vorbis(headers: headers), sampleRateInHz: Int(rate), channelCount: Int(headers[0][11]),
      channelOrder: .vorbis, frameCountPerPacket: nil, identity: "", restart: .preroll(packetCount: 2))
    return PacketForm(
      codec: codec, rules: .vorbis, durations: durations, configuration: [headers[0], headers[2]])
  }
}
