internal import CVorbis
import MediaModel

/// Decodes Vorbis packets through libvorbis.
final class VorbisPacketDecoder: OggPacketDecoder {
  let format: AudioFormat
  let bitRateInBitsPerSecond: Int?
  let delayFrameCount = 0
  /// Two of the longest blocks: each one overlaps only the one before.
  let memory: OggPacketMemory

  private let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
  private let comment = UnsafeMutablePointer<vorbis_comment>.allocate(capacity: 1)
  private let state = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
  private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)
  private var packetNumber: Int64 = 0

  /// Reads the three header packets from `reader`.
  convenience init(headersFrom reader: OggPacketReader) throws(DecodingError) {
    var headers: [[UInt8]] = []
    while headers.count < 3, let packet = try reader.next() { headers.append(packet.bytes) }
    try self.init(headers: headers)
  }

  /// - Parameter headers: the three header packets.
  init(headers: [[UInt8]]) throws(DecodingError) {
    try DecoderLibraries.check(dw_vorbis_load())
    let (info, comment) = (info, comment)
    vorbis_info_init(info)
    vorbis_comment_init(comment)
    state.initialize(to: vorbis_dsp_state())
    block.initialize(to: vorbis_block())
    var isIntact = headers.count == 3
    for (number, header) in headers.enumerated() where isIntact {
      let packet = OggPacketReader.Packet(bytes: header, granule: nil, isLast: false)
      isIntact = Self.withPacket(packet, number: Int64(number)) { vorbis_synthesis_headerin(info, comment, $0) } == 0
    }
    isIntact = isIntact && vorbis_synthesis_init(state, info) == 0
    if isIntact { vorbis_block_init(state, block) }
    do throws(DecodingError) {
      guard isIntact else {
        throw .damaged(Problem(code: "corrupt", reason: "the Vorbis headers are damaged"))
      }
      format = try .checked(
        sampleRateInHz: info.pointee.rate, channelCount: Int(info.pointee.channels), sampleEncoding: .floatingPoint,
        channelOrder: .vorbis)
      memory = .limited(frameCount: 2 * Int64(max(0, vorbis_info_blocksize(info, 1))))
      let rate = info.pointee.bitrate_nominal
      bitRateInBitsPerSecond = (1...100_000_000).contains(rate) ? rate : nil
    } catch {
      // The library's clearing functions accept what was only zeroed.
      format = AudioFormat(sampleRateInHz: 1, channelCount: 1)
      memory = .unlimited
      bitRateInBitsPerSecond = nil
      throw error
    }
  }

  deinit {
    vorbis_block_clear(block)
    vorbis_dsp_clear(state)
    vorbis_comment_clear(comment)
    vorbis_info_clear(info)
    block.deallocate()
    state.deallocate()
    comment.deallocate()
    info.deallocate()
  }

  func decode(_ packet: OggPacketReader.Packet, appendingTo samples: inout [Float]) -> Bool {
    packetNumber += 1
    guard Self.withPacket(packet, number: packetNumber + 2, { vorbis_synthesis(block, $0) }) == 0,
      vorbis_synthesis_blockin(state, block) == 0
    else { return packet.bytes.isEmpty }
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

  /// The lengths of the audio packets that follow these headers. The comments play no part: empty ones stand for them.
  static func durations(identification: [UInt8], setup: [UInt8]) -> OggPacketDurations {
    guard dw_vorbis_load() == nil else { return .unknown }
    var info = vorbis_info()
    var comment = vorbis_comment()
    vorbis_info_init(&info)
    vorbis_comment_init(&comment)
    defer {
      vorbis_comment_clear(&comment)
      vorbis_info_clear(&info)
    }
    let comments: [UInt8] = [3] + Array("vorbis".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]
    for (number, header) in [identification, comments, setup].enumerated() {
      let packet = OggPacketReader.Packet(bytes: header, granule: nil, isLast: false)
      let result = withPacket(packet, number: Int64(number)) { vorbis_synthesis_headerin(&info, &comment, $0) }
      guard result == 0 else { return .unknown }
    }
    // The mode stands in the first byte, which is all that the library looks at.
    let blocks = (0...255).map { first -> Int32 in
      let packet = OggPacketReader.Packet(bytes: [UInt8(first)], granule: nil, isLast: false)
      return Int32(clamping: max(0, withPacket(packet, number: 3) { Int32(vorbis_packet_blocksize(&info, $0)) } / 4))
    }
    return .vorbis(VorbisPacketDurations(quarterBlocks: blocks))
  }

  func reset() { vorbis_synthesis_restart(state) }

  func savedState() -> [UInt8] { [] }

  func restore(_ state: [UInt8]) {}

  private static func withPacket(
    _ packet: OggPacketReader.Packet, number: Int64, _ body: (UnsafeMutablePointer<ogg_packet>) -> Int32
  ) -> Int32 {
    var bytes = packet.bytes
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
