internal import COpus
import MediaModel

/// Decodes Opus packets through libopus, always at 48 kHz, with the header's output gain applied (RFC 7845).
final class OpusPacketDecoder: XiphPacketDecoder {
  /// Of one packet: 120 ms.
  static let maximumFrameCount = 5760

  let format: AudioFormat
  let bitRateInBitsPerSecond: Int? = nil
  let delayFrameCount: Int
  /// Energies and filters are predicted from frame to frame, and never forget completely.
  let memory = XiphPacketMemory.unlimited

  private let decoder: OpaquePointer
  private let stateByteCount: Int

  /// - Parameter head: the first header packet.
  init(head: [UInt8]) throws(DecodingError) {
    try DecodingError.check(loading: dw_opus_load())
    guard head.count >= 19, head[8] < 16 else {
      throw .damaged(Problem(code: "corrupt", reason: "the Opus headers are damaged"))
    }
    let channelCount = Int(head[9])
    var streamCount = 1
    var coupledCount = channelCount - 1
    var mapping: [UInt8] = [0, 1]
    switch head[18] {
    case 0:
      guard (1...2).contains(channelCount) else {
        throw .impossibleHeader("the Opus header gives \(channelCount) channels in mapping family 0")
      }
    case 1, 2, 255:
      guard head.count >= 21 + channelCount, channelCount > 0 else {
        throw .impossibleHeader("the Opus header gives \(channelCount) channels without their mapping")
      }
      streamCount = Int(head[19])
      coupledCount = Int(head[20])
      mapping = Array(head[21..<21 + channelCount])
    default: throw .unsupported(reason: "no decoder for Opus channel mapping family \(head[18])")
    }
    format = try .checked(
      sampleRateInHz: 48_000, channelCount: channelCount, sampleEncoding: .floatingPoint,
      channelOrder: head[18] < 2 ? .vorbis : .unspecified)
    delayFrameCount = Int(head[10]) | Int(head[11]) << 8
    var status: Int32 = 0
    guard
      let decoder = opus_multistream_decoder_create(
        48_000, Int32(channelCount), Int32(streamCount), Int32(coupledCount), mapping, &status)
    else { throw .impossibleHeader("the Opus header gives an impossible channel mapping") }
    self.decoder = decoder
    stateByteCount = Int(opus_multistream_decoder_get_size(Int32(streamCount), Int32(coupledCount)))
    _ = dw_opus_set_gain(decoder, Int32(Int16(truncatingIfNeeded: Int(head[16]) | Int(head[17]) << 8)))
  }

  /// What of a head the packets do not say of themselves: channels and family; then streams, coupled streams and table.
  /// It is what the head has behind its gain, and its number of channels.
  static func configuration(head: [UInt8]) -> [UInt8] { Array(head.dropFirst(9).prefix(1)) + head.dropFirst(18) }

  deinit { opus_multistream_decoder_destroy(decoder) }

  func decode(_ packet: [UInt8], appendingTo samples: inout [Float]) -> Bool {
    // For the library it would be one that was lost.
    guard !packet.isEmpty else { return false }
    let start = samples.count
    let channelCount = format.channelCount
    samples.append(contentsOf: repeatElement(0, count: Self.maximumFrameCount * channelCount))
    let count = samples.withUnsafeMutableBufferPointer { samples -> Int32 in
      guard let pcm = samples.baseAddress else { return 0 }
      return opus_multistream_decode_float(
        decoder, packet, Int32(packet.count), pcm + start, Int32(Self.maximumFrameCount), 0)
    }
    samples.removeLast((Self.maximumFrameCount - max(0, Int(count))) * channelCount)
    return count > 0
  }

  /// How many frames a packet gives, by its first two bytes (RFC 6716 sections 3.1 and 3.2).
  ///
  /// A packet without bytes is malformed (RFC 7845 section 3); the library refuses one that is too long.
  static func frameCount(first: UInt8, second: UInt8, byteCount: Int) -> Int64 {
    guard byteCount > 0 else { return 0 }
    let configuration = Int(first >> 3)
    let frameLength =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration & 3]
      case 12..<16: [480, 960][configuration & 1]
      default: [120, 240, 480, 960][configuration & 3]
      }
    let frameCount =
      switch first & 3 {
      case 0: 1
      case 1, 2: 2
      default: byteCount > 1 ? Int(second & 0x3F) : 0
      }
    let count = frameLength * frameCount
    return count > maximumFrameCount ? 0 : Int64(count)
  }

  func reset() { _ = dw_opus_reset(decoder) }

  /// The library keeps a decoder in one piece of memory without pointers into itself, which may be copied (opus.h).
  func savedState() -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(decoder), count: stateByteCount))
  }

  func restore(_ state: [UInt8]) {
    guard state.count == stateByteCount else { return }
    UnsafeMutableRawPointer(decoder).copyMemory(from: state, byteCount: stateByteCount)
  }
}

struct OpusPacketDurations: PacketDurations {
  func frameCount(first: UInt8, second: UInt8, byteCount: Int) -> Int64 {
    OpusPacketDecoder.frameCount(first: first, second: second, byteCount: byteCount)
  }
}

extension StreamHashers.Rules {
  static let opus = Self("opus")
}

extension PacketForm {
  /// - Parameter head: the first header packet.
  static func opus(head: [UInt8], in container: Container) throws(DecodingError) -> PacketForm {
    guard head.has("OpusHead", at: 0), let delay = head.littleEndian(UInt16.self, at: 10),
      let gain = head.littleEndian(Int16.self, at: 16), head.count >= 19
    else { throw .missing("Opus header", in: container) }
    let codec = PacketCodec(
      codec: .opus, sampleRateInHz: 48_000, channelCount: Int(head[9]),
      channelOrder: head[18] < 2 ? .vorbis : .unspecified, frameCountPerPacket: nil, identity: "",
      restart: .fromSavedStates
    ) { () throws(DecodingError) in XiphPacketAdapter(try OpusPacketDecoder(head: head)) }
    return PacketForm(
      codec: codec, rules: .opus, durations: OpusPacketDurations(),
      configuration: [OpusPacketDecoder.configuration(head: head)], delayFrameCount: Int(delay), outputGain: Int(gain))
  }
}
