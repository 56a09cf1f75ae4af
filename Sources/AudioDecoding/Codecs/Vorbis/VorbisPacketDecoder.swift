internal import CVorbis
import MediaModel

/// What the header packets of a Vorbis stream say.
final class VorbisHeaders {
  /// Stands for the comments, which play no part and may be malformed.
  private static let emptyComments: [UInt8] = [3] + Array("vorbis".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]

  let format: AudioFormat
  let bitRateInBitsPerSecond: Int?
  /// Two of the longest blocks: each one overlaps only the one before.
  let memory: XiphPacketMemory
  private let identification: [UInt8]
  private let setup: [UInt8]

  fileprivate let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
  private let comment = UnsafeMutablePointer<vorbis_comment>.allocate(capacity: 1)

  /// From the first and the last of the three packets.
  init(identification: [UInt8], setup: [UInt8]) throws(DecodingError) {
    try DecodingError.check(loading: dw_vorbis_load())
    vorbis_info_init(info)
    vorbis_comment_init(comment)
    self.identification = identification
    self.setup = setup
    let (info, comment) = (info, comment)
    var isIntact = true
    for (number, packet) in [identification, Self.emptyComments, setup].enumerated() where isIntact {
      isIntact = VorbisPacket(packet, number: Int64(number)).lend { vorbis_synthesis_headerin(info, comment, $0) } == 0
    }
    do throws(DecodingError) {
      guard isIntact else { throw .damagedVorbisHeaders }
      format = try .checked(
        sampleRateInHz: info.pointee.rate, channelCount: Int(info.pointee.channels), sampleEncoding: .floatingPoint,
        channelOrder: .vorbis)
      memory = .limited(frameCount: 2 * Int64(max(0, vorbis_info_blocksize(info, 1))))
      let rate = info.pointee.bitrate_nominal
      bitRateInBitsPerSecond = (1...100_000_000).contains(rate) ? rate : nil
    } catch {
      // The library's clearing functions accept what was only initialized.
      format = AudioFormat(sampleRateInHz: 1, channelCount: 1)
      memory = .unlimited
      bitRateInBitsPerSecond = nil
      throw error
    }
  }

  /// - Parameter packets: the three of them.
  convenience init(_ packets: [[UInt8]]) throws(DecodingError) {
    guard packets.count == 3 else { throw .damagedVorbisHeaders }
    try self.init(identification: packets[0], setup: packets[2])
  }

  deinit {
    vorbis_comment_clear(comment)
    vorbis_info_clear(info)
    comment.deallocate()
    info.deallocate()
  }

  /// The lengths of the audio packets that follow.
  var durations: any PacketDurations {
    // The mode stands in the first byte, which is all that the library looks at.
    let blocks = (0...255).map { first -> Int32 in
      let size = VorbisPacket([UInt8(first)], number: 3).lend { Int32(vorbis_packet_blocksize(info, $0)) }
      return Int32(clamping: max(0, size / 4))
    }
    return VorbisPacketDurations(quarterBlocks: blocks)
  }

  /// In one piece, as Matroska has them: their number less one, the sizes of the first two, then they themselves. The
  /// comments are empty.
  var laced: [UInt8] {
    let sizes = [identification, Self.emptyComments].flatMap { packet in
      [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    }
    return [2] + sizes + identification + Self.emptyComments + setup
  }

  /// libavcodec's decoder if it can be used, because it is the fastest; else libvorbis's (docs/decisions/0064).
  func makeDecoder() throws(DecodingError) -> any XiphPacketDecoder {
    if let decoder = FFmpegVorbisDecoder(self) { return decoder }
    return try VorbisPacketDecoder(self)
  }
}

/// The frames of Vorbis packets: each block overlaps the one before (Vorbis I section 1.3.2).
struct VorbisPacketDurations: PacketDurations {
  /// A quarter of the block size by the first byte of a packet, which has its mode; 0 for packets without audio.
  let quarterBlocks: [Int32]
  private var last: Int32 = 0

  init(quarterBlocks: [Int32]) { self.quarterBlocks = quarterBlocks }

  mutating func frameCount(first: UInt8, second: UInt8, byteCount: Int) -> Int64 {
    let quarter = quarterBlocks[Int(first)]
    guard byteCount > 0, quarter > 0 else { return 0 }
    defer { last = quarter }
    return last == 0 ? 0 : Int64(last + quarter)
  }
}

/// Decodes Vorbis packets through libvorbis.
final class VorbisPacketDecoder: XiphPacketDecoder {
  let format: AudioFormat
  let bitRateInBitsPerSecond: Int?
  let delayFrameCount = 0
  let memory: XiphPacketMemory

  /// The library reads them as long as it decodes.
  private let headers: VorbisHeaders
  private let state = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
  private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)
  private var packetNumber: Int64 = 0

  init(_ headers: VorbisHeaders) throws(DecodingError) {
    self.headers = headers
    format = headers.format
    bitRateInBitsPerSecond = headers.bitRateInBitsPerSecond
    memory = headers.memory
    state.initialize(to: vorbis_dsp_state())
    block.initialize(to: vorbis_block())
    guard vorbis_synthesis_init(state, headers.info) == 0 else { throw .damagedVorbisHeaders }
    vorbis_block_init(state, block)
  }

  deinit {
    vorbis_block_clear(block)
    vorbis_dsp_clear(state)
    block.deallocate()
    state.deallocate()
  }

  func decode(_ packet: [UInt8], appendingTo samples: inout [Float]) -> Bool {
    packetNumber += 1
    let isDecoded = VorbisPacket(packet, number: packetNumber + 2).lend { vorbis_synthesis(block, $0) } == 0
    guard isDecoded, vorbis_synthesis_blockin(state, block) == 0 else { return packet.isEmpty }
    let channelCount = format.channelCount
    var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    while case let count = Int(vorbis_synthesis_pcmout(state, &channels)), count > 0, let channels {
      let start = samples.count
      samples.append(contentsOf: repeatElement(0, count: count * channelCount))
      samples.withUnsafeMutableBufferPointer { samples in
        for channel in 0..<channelCount {
          guard let source = channels[channel] else { continue }
          var target = start + channel
          for index in 0..<count {
            // In some builds of the library the sign of a zero depends on the address of its buffers: + 0 makes it
            // positive.
            samples[target] = source[index] + 0
            target += channelCount
          }
        }
      }
      vorbis_synthesis_read(state, Int32(count))
    }
    return true
  }

  func reset() { vorbis_synthesis_restart(state) }

  func savedState() -> [UInt8] { [] }

  func restore(_ state: [UInt8]) {}
}

/// A packet as the library takes it.
private struct VorbisPacket {
  private var bytes: [UInt8]
  private let number: Int64

  /// - Parameter number: in the stream, with the headers.
  init(_ bytes: [UInt8], number: Int64) {
    self.bytes = bytes
    self.number = number
  }

  consuming func lend(_ body: (UnsafeMutablePointer<ogg_packet>) -> Int32) -> Int32 {
    let number = number
    return bytes.withUnsafeMutableBufferPointer { buffer in
      var raw = ogg_packet()
      raw.packet = buffer.baseAddress
      raw.bytes = buffer.count
      raw.b_o_s = number == 0 ? 1 : 0
      // Without positions the library gives all samples. With them it would cut what is before time zero from the end
      // of the first page; ``OggDecoder`` cuts both ends.
      raw.granulepos = -1
      raw.packetno = number
      return body(&raw)
    }
  }
}

extension DecodingError {
  fileprivate static var damagedVorbisHeaders: DecodingError {
    .damaged(Problem(code: "corrupt", reason: "the Vorbis headers are damaged"))
  }
}
