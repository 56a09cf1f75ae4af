import MediaModel

/// The two hashes of one stream, taken in one walk over its packets.
///
/// Version 2 (docs/decisions/0029) begins with the name of the codec's rules and the configuration without which the
/// packets mean something else; then come the packets, however they lie in pages or blocks. Packets without lengths
/// (frames of MPEG and FLAC, samples) have a hash of their own, and that hash and the number of bytes stand for them:
/// mostly it is that of version 1, so that nothing is hashed twice. Version 1 (docs/decisions/0002), under which older
/// libraries know the stream, has the bytes of the stream as they lie in their container.
struct StreamHashers {
  /// The rules by which a stream is hashed, one for all containers that can hold it.
  enum Rules: String {
    case mpeg, flac, vorbis, opus, speex, aac, alac, tta, ac3, dts, musepack, module, dsd, asf, ape, tak, samples
    case wavPack = "wavpack"
    /// Streams of a chain for which there is no decoder.
    case other
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
  func begin(_ rules: StreamHashers.Rules) { note("deadwax stream 2 \(rules.rawValue)\n") }

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
    switch rules {
    // Frames that say their length: containers join or split their packets as they like.
    case .ac3, .dts: packets?.update(packet)
    case .wavPack: packets?.update(wavPackBlocks: packet)
    default:
      packets?.note(length: Int64(packet.count))
      packets?.update(packet)
    }
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

/// Hashes the packets of Opus and Vorbis by the rules of Ogg: their configuration is known before them.
final class OggPacketHasher {
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

/// The hash of decoded samples, by which lossless streams are found to be the same recording.
///
/// Integers are filled up to 32 bits from below, so that the width of a file does not count. Samples are interleaved in
/// WAVE's order, the lowest byte first. After them come rate, channels, and the loudspeakers if they are unusual. Floats
/// are hashed as they are decoded, before those that are not finite are replaced.
struct SampleHasher {
  enum Form: String {
    case int, f32, f64
    /// The bits of all channels in turn, eight at a time, because no frames stand for them.
    case dsd

    /// nil for codecs that do not give back what was encoded.
    init?(_ codec: Codec?) {
      guard let codec, codec.isLossless else { return nil }
      self =
        switch codec {
        case .pcmF32: .f32
        case .pcmF64: .f64
        case .dsd: .dsd
        default: .int
        }
    }
  }

  let form: Form
  private let hash: ContentHasher

  /// nil if there is no memory.
  init?(_ form: Form) {
    guard let hash = ContentHasher() else { return nil }
    self.form = form
    self.hash = hash
    hash.note("deadwax samples 1 \(form.rawValue)\n")
  }

  func add(_ samples: UnsafeRawBufferPointer) { hash.update(samples) }

  /// The hash of all samples; call it once, because it ends the stream.
  func finish(_ format: AudioFormat) -> ContentHash {
    hash.note("\(format.sampleRateInHz) \(format.channelCount)" + (format.unusualMask.map { " \($0)" } ?? ""))
    return hash.digest
  }
}

/// Integers of 32 bits as floats in `-1...1`.
///
/// The factor is a power of two: integers of fewer bits, filled up from below, give the floats that they give by their
/// own factor.
enum FullScale {
  private static let factor: Float = 1 / 2_147_483_648

  static func convert(_ integers: UnsafeBufferPointer<Int32>, to floats: UnsafeMutableBufferPointer<Float>) {
    guard let source = UnsafeRawPointer(integers.baseAddress), let target = UnsafeMutableRawPointer(floats.baseAddress)
    else { return }
    convert(source, to: target, count: min(integers.count, floats.count))
  }

  /// `source` and `target` may be the same memory.
  static func convert(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    var offset = 0
    let end = 4 * count
    while offset + 32 <= end {
      let integers = source.loadUnaligned(fromByteOffset: offset, as: SIMD8<Int32>.self)
      target.storeBytes(of: SIMD8<Float>(integers) * factor, toByteOffset: offset, as: SIMD8<Float>.self)
      offset += 32
    }
    while offset < end {
      let integer = source.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      target.storeBytes(of: Float(integer) * factor, toByteOffset: offset, as: Float.self)
      offset += 4
    }
  }
}
