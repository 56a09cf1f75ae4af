internal import Base
internal import CVorbis
import MediaModel

/// An Ogg Vorbis file through libvorbis.
final class VorbisEncoder: SoundEncoder {
  /// The only stream of a file may have any number; always the same one, so that equal input gives equal files.
  static let serial: UInt32 = 0x6465_6164

  /// How far libvorbis looks ahead depends on how many samples it gets, so each call gets as many.
  private static let framesPerCall = 1024

  static var library: SharedLibrary {
    SharedLibrary(
      "libvorbisenc", dw_vorbisenc_load(), version: vorbis_version_string(),
      without: "Ogg Vorbis files cannot be written")
  }

  let clippedSampleCount = 0
  private let channelCount: Int
  private let order: [Int]
  private let frameCount: Int64
  private var pages = OggStreamWriter(serial: VorbisEncoder.serial)
  private var ready: [UInt8] = []
  private var waiting: [Float] = []
  private var packetCount = 0
  private let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
  private let state = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
  private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)

  /// The rate at which a recording is encoded: its own, or half of one for which libvorbis has no settings.
  static func sampleRate(for rate: Int) -> Int {
    rate <= 200_000 ? rate : rate.isMultiple(of: 44_100) ? 176_400 : 192_000
  }

  /// - Parameter quality: -1…10, as in `oggenc -q`.
  init(_ format: AudioFormat, quality: Double, frameCount: Int64, tags: SoundTags) throws(AudioEncodingError) {
    try AudioEncodingError.check(dw_vorbisenc_load())
    channelCount = format.channelCount
    order = ChannelOrder.vorbisOrder(channelCount: channelCount)
    self.frameCount = frameCount
    state.initialize(to: vorbis_dsp_state())
    block.initialize(to: vorbis_block())
    vorbis_info_init(info)
    guard channelCount <= 255,
      vorbis_encode_init_vbr(info, channelCount, format.sampleRateInHz, Float(quality / 10)) == 0,
      vorbis_analysis_init(state, info) == 0
    else {
      throw AudioEncodingError(
        reason: "libvorbis rejects \(channelCount) channels at \(format.sampleRateInHz) Hz and quality \(quality)")
    }
    vorbis_block_init(state, block)
    try writeHeaders(tags)
  }

  deinit {
    vorbis_block_clear(block)
    vorbis_dsp_clear(state)
    vorbis_info_clear(info)
    block.deallocate()
    state.deallocate()
    info.deallocate()
  }

  private func writeHeaders(_ tags: SoundTags) throws(AudioEncodingError) {
    var comment = vorbis_comment()
    vorbis_comment_init(&comment)
    defer { vorbis_comment_clear(&comment) }
    var (first, second, third) = (ogg_packet(), ogg_packet(), ogg_packet())
    guard vorbis_analysis_headerout(state, &comment, &first, &second, &third) == 0 else { throw failure }
    let vendor = vorbis_version_string().map { String(cString: $0) } ?? ""
    let comments =
      [3] + Array("vorbis".utf8) + XiphComments.block(vendor: vendor, tags, embedsPictures: true) + [1]
    ready += pages.append(Self.bytes(first), granule: 0, endsPage: true)
    ready += pages.append(comments, granule: 0)
    ready += pages.append(Self.bytes(third), granule: 0, endsPage: true)
  }

  func encode(_ samples: Span<Float>) throws(AudioEncodingError) -> [UInt8] {
    for index in samples.indices {
      waiting.append(samples[index])
      if waiting.count == Self.framesPerCall * channelCount { try encodeWaiting() }
    }
    defer { ready.removeAll(keepingCapacity: true) }
    return ready
  }

  func finish() throws(AudioEncodingError) -> (end: [UInt8], start: [UInt8]) {
    if !waiting.isEmpty { try encodeWaiting() }
    guard vorbis_analysis_wrote(state, 0) == 0 else { throw failure }
    try takePackets()
    return (ready + pages.finish(granule: frameCount), [])
  }

  private func encodeWaiting() throws(AudioEncodingError) {
    let frames = waiting.count / channelCount
    guard let planes = vorbis_analysis_buffer(state, Int32(frames)) else { throw failure }
    for (place, source) in order.enumerated() {
      guard let plane = planes[place] else { throw failure }
      for frame in 0..<frames { plane[frame] = waiting[frame * channelCount + source] }
    }
    waiting.removeAll(keepingCapacity: true)
    guard vorbis_analysis_wrote(state, Int32(frames)) == 0 else { throw failure }
    try takePackets()
  }

  private func takePackets() throws(AudioEncodingError) {
    while vorbis_analysis_blockout(state, block) == 1 {
      guard vorbis_analysis(block, nil) == 0, vorbis_bitrate_addblock(block) == 0 else { throw failure }
      var packet = ogg_packet()
      while vorbis_bitrate_flushpacket(state, &packet) == 1 {
        packetCount += 1
        // The first page of audio says where the recording begins, unless it is also the last page.
        let endsPage = packetCount == 2 && packet.granulepos < frameCount
        ready += pages.append(Self.bytes(packet), granule: packet.granulepos, endsPage: endsPage)
      }
    }
  }

  private var failure: AudioEncodingError { AudioEncodingError(reason: "libvorbis failed") }

  private static func bytes(_ packet: ogg_packet) -> [UInt8] {
    Array(UnsafeBufferPointer(start: packet.packet, count: packet.bytes))
  }
}
