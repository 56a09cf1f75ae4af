import MediaModel

extension StreamHashers.Rules {
  static let aac = Self("aac")
}

extension PacketCodec {
  /// AAC, with any kind of spectral band replication.
  static func aac(_ config: AudioSpecificConfig, extradata: [UInt8]) -> PacketCodec {
    .ffmpeg(
      "aac", extradata: extradata, codec: .aac, sampleRateInHz: config.sampleRateInHz,
      channelCount: config.channelCount, frameCountPerPacket: config.frameCountPerPacket, identity: config.identity,
      replacedIdentity: config.replacedIdentity, restart: .periodically(period: 2048, prerollCount: 32))
  }
}

extension PacketForm {
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
}
