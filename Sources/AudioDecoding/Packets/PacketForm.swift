import MediaModel

/// How packets are decoded, and what else a container needs for them.
struct PacketForm {
  let codec: PacketCodec
  let rules: StreamHashers.Rules
  /// Of packets that give different numbers of frames.
  var durations: (any PacketDurations)?
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
    let hasher = XiphPacketHasher(hashers.current, rules: rules, configuration: configuration)
    return (hasher.add, hasher.finish)
  }
}
