import MediaModel

/// The two hashes of one stream, taken in one walk over its packets.
///
/// Version 2 (docs/decisions/0029) begins with the name of the codec's rules and the configuration without which the
/// packets mean something else; then come the packets, however they lie in pages or blocks. Packets without lengths
/// (frames of MPEG and FLAC, samples) have a hash of their own, and that hash and the number of bytes stand for them:
/// mostly it is that of version 1, so that nothing is hashed twice. Version 1 (docs/decisions/0002), under which older
/// libraries know the stream, has the bytes of the stream as they lie in their container.
struct StreamHashers {
  /// The rules by which a stream is hashed, one for all containers that can hold it. Each codec has its own
  /// (docs/formats.md).
  struct Rules: Sendable {
    let name: String
    /// How a packet is added to the hash of the packets.
    let addPacket: @Sendable (ContentHasher, UnsafeRawBufferPointer) -> Void

    /// Packets follow their lengths.
    init(_ name: String) {
      self.init(name) { packets, packet in
        packets.note(length: Int64(packet.count))
        packets.update(packet)
      }
    }

    init(_ name: String, addPacket: @escaping @Sendable (ContentHasher, UnsafeRawBufferPointer) -> Void) {
      self.name = name
      self.addPacket = addPacket
    }

    /// Frames that say their length: containers join or split their packets as they like.
    static func ofFrames(_ name: String) -> Rules { Rules(name) { $0.update($1) } }
  }

  let current: ContentHasher
  let former: ContentHasher
  /// By an earlier rule of version 2; empty for all streams but the few whose rule was refined.
  let replaced: ContentHasher

  /// - Parameter current: goes on with a stream that has begun.
  init(current: ContentHasher? = ContentHasher()) throws(DecodingError) {
    guard let current, let former = ContentHasher(), let replaced = ContentHasher() else {
      throw .unsupported(reason: "not enough memory for a hash")
    }
    self.current = current
    self.former = former
    self.replaced = replaced
  }
}

extension ContentHasher {
  /// Begins a stream of version 2.
  func begin(_ rules: StreamHashers.Rules) { note("deadwax stream 2 \(rules.name)\n") }

  /// Adds what another hash has of the packets.
  func note(_ packets: ContentHasher) {
    note(packets.digest.bytes)
    note(length: packets.byteCount)
  }
}

/// Hashes the packets of a track, whose configuration may be known only after them.
struct PacketHasher {
  private let stream: ContentHasher
  private let rules: StreamHashers.Rules
  private let packets: ContentHasher?

  init(_ stream: ContentHasher, rules: StreamHashers.Rules) {
    self.stream = stream
    self.rules = rules
    packets = ContentHasher()
  }

  func add(_ packet: UnsafeRawBufferPointer) {
    if let packets { rules.addPacket(packets, packet) }
  }

  /// Adds the rules and what the packets do not say of themselves, then what stands for the packets.
  ///
  /// - Parameters:
  ///   - replacedIdentity: by an earlier rule, if that was another one.
  ///   - replaced: gets the hash by that rule.
  func finish(identity: String, replacedIdentity: String? = nil, replaced: ContentHasher? = nil) {
    finish(stream, identity)
    if let replacedIdentity, let replaced { finish(replaced, replacedIdentity) }
  }

  private func finish(_ stream: ContentHasher, _ identity: String) {
    stream.begin(rules)
    stream.note(identity + "\n")
    if let packets { stream.note(packets) }
  }
}

/// Hashes the packets of Opus and Vorbis as Ogg has them: their configuration is known before them.
final class XiphPacketHasher {
  private let stream: ContentHasher
  private var packetCount: Int64 = 0

  init(_ stream: ContentHasher, rules: StreamHashers.Rules, configuration: [[UInt8]]) {
    self.stream = stream
    stream.begin(rules)
    for part in configuration {
      stream.note(length: Int64(part.count))
      stream.note(part)
    }
  }

  func add(_ packet: UnsafeRawBufferPointer) {
    stream.update(packet)
    stream.note(length: Int64(packet.count))
    packetCount += 1
  }

  func finish() {
    stream.note(length: packetCount)
    stream.note(length: stream.byteCount)
  }
}
