internal import CSpeex
import MediaModel

/// Decodes Speex packets through libspeex.
final class SpeexPacketDecoder: XiphPacketDecoder {
  let format: AudioFormat
  let bitRateInBitsPerSecond: Int? = nil
  let delayFrameCount = 0
  let lookaheadFrameCount: Int
  /// Filters are recursive, and the library's state has pointers into itself.
  let memory = XiphPacketMemory.unlimitedUnsaved

  let header: SpeexHeader
  private var decoder: OpaquePointer

  /// - Parameter packet: the first header packet; nil if it is damaged.
  init(head packet: [UInt8]?) throws(DecodingError) {
    if let problem = dw_speex_load() { throw .missingLibrary(reason: String(cString: problem)) }
    guard let packet else { throw .damaged(Problem(code: "corrupt", reason: "the Speex header is damaged")) }
    guard let header = SpeexHeader(packet) else {
      throw .impossibleHeader("the Speex header gives an impossible mode, rate or number of channels")
    }
    self.header = header
    format = try .checked(
      sampleRateInHz: header.sampleRateInHz, channelCount: header.channelCount, sampleEncoding: .floatingPoint)
    lookaheadFrameCount = Int(header.lookaheadFrameCount)
    guard let decoder = dw_speex_open(Int32(header.mode), Int32(header.channelCount)) else {
      throw .unsupported(reason: "not enough memory for a Speex decoder")
    }
    self.decoder = decoder
  }

  deinit { dw_speex_close(decoder) }

  func decode(_ packet: [UInt8], appendingTo samples: inout [Float]) -> Bool {
    let start = samples.count
    samples.append(contentsOf: repeatElement(0, count: Int(header.frameCountPerPacket) * format.channelCount))
    return samples.withUnsafeMutableBufferPointer { samples in
      guard let target = samples.baseAddress.map({ $0 + start }) else { return false }
      let isIntact = packet.withUnsafeBytes {
        dw_speex_decode(
          decoder, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, Int32(header.codedFrameCount), target)
      }
      for index in start..<samples.count { samples[index] *= 1 / 32_768 }
      return isIntact != 0
    }
  }

  /// Never called: positions are reached from the beginning, with another decoder.
  func reset() {}

  func savedState() -> [UInt8] { [] }

  func restore(_ state: [UInt8]) {}
}

/// What the first packet of a Speex stream says (The Speex Codec Manual, section 5.1).
struct SpeexHeader {
  let sampleRateInHz: Int
  /// 0 is narrowband, 1 wideband, 2 ultra-wideband.
  let mode: Int
  let channelCount: Int
  /// Coded frames of a packet.
  let codedFrameCount: Int
  /// Header packets with this one.
  let packetCount: Int

  /// nil if it is impossible.
  init?(_ packet: [UInt8]) {
    let numbers = [36, 40, 48, 64].compactMap { packet.littleEndian(Int32.self, at: $0).map { Int($0) } }
    guard packet.count >= 80, numbers.count == 4, (1...384_000).contains(numbers[0]), (0...2).contains(numbers[1]),
      (1...2).contains(numbers[2]), (0...64).contains(numbers[3])
    else { return nil }
    sampleRateInHz = numbers[0]
    mode = numbers[1]
    channelCount = numbers[2]
    codedFrameCount = max(1, numbers[3])
    packetCount = Self.packetCount(packet)
  }

  /// The number of header packets, as far as it can be believed.
  static func packetCount(_ packet: [UInt8]) -> Int {
    2 + Int(min(packet.littleEndian(UInt32.self, at: 68) ?? 0, 64))
  }

  /// Of the decoder; by that of the encoder the first position is too small.
  var lookaheadFrameCount: Int64 { [40, 80, 160][mode] }

  /// 20 ms at the rate of the mode each.
  var frameCountPerPacket: Int64 { [160, 320, 640][mode] * Int64(codedFrameCount) }

  /// Without which the packets mean something else.
  var identity: String { "\(sampleRateInHz) \(mode) \(channelCount) \(codedFrameCount)\n" }
}

struct SpeexPacketDurations: PacketDurations {
  let frameCount: Int64

  func frameCount(first: UInt8, second: UInt8, byteCount: Int) -> Int64 { frameCount }
}

extension StreamHashers.Rules {
  static let speex = Self("speex")
}
