internal import Base
internal import COpus
import MediaModel

/// An Ogg Opus file (RFC 7845) through libopus, from samples at 48 kHz.
final class OpusEncoder: SoundEncoder {
  static let sampleRateInHz = 48_000
  private static let framesPerPacket = 960
  private static let maximumPacketByteCount = 1275 * 3 + 7

  let clippedSampleCount = 0
  private let encoder: OpaquePointer
  private let channelCount: Int
  private let order: [Int]
  /// Frames that the decoder drops at the start, and those of the recording.
  private let delay: Int64
  private let frameCount: Int64
  private var encodedFrameCount: Int64 = 0
  private var pages = OggStreamWriter(serial: VorbisEncoder.serial)
  private var waiting: [Float] = []
  private var packet: [UInt8]
  private var ready: [UInt8] = []

  /// - Parameters:
  ///   - bitRate: In bits per second, for all channels.
  ///   - sourceRateInHz: Of the recording before it was resampled to 48 kHz; only written to the header.
  init(
    _ format: AudioFormat, bitRate: Int, sourceRateInHz: Int, frameCount: Int64, tags: SoundTags
  ) throws(AudioEncodingError) {
    guard format.sampleRateInHz == Self.sampleRateInHz else {
      throw AudioEncodingError(reason: "Opus has a sample rate of 48,000 Hz, not \(format.sampleRateInHz)")
    }
    guard format.channelCount <= 8 else {
      throw AudioEncodingError(reason: "Opus supports at most 8 channels, not \(format.channelCount)")
    }
    try AudioEncodingError.check(dw_opus_load())
    channelCount = format.channelCount
    order = ChannelOrder.vorbisOrder(channelCount: channelCount)
    self.frameCount = frameCount
    let family: Int32 = channelCount > 2 ? 1 : 0
    var (streams, coupled, error) = (Int32(0), Int32(0), Int32(0))
    var mapping = [UInt8](repeating: 0, count: channelCount)
    guard
      let encoder = opus_multistream_surround_encoder_create(
        Int32(Self.sampleRateInHz), Int32(channelCount), family, &streams, &coupled, &mapping,
        OPUS_APPLICATION_AUDIO, &error), error == OPUS_OK
    else { throw AudioEncodingError(reason: "libopus failed to start (\(error))") }
    self.encoder = encoder
    packet = [UInt8](repeating: 0, count: Self.maximumPacketByteCount * Int(max(streams, 1)))
    var lookahead: Int32 = 0
    let isReady =
      dw_opus_set_bitrate(encoder, Int32(clamping: bitRate)) == OPUS_OK
      && dw_opus_get_lookahead(encoder, &lookahead) == OPUS_OK
    delay = Int64(lookahead)
    guard isReady else {
      throw AudioEncodingError(reason: "libopus rejects \(bitRate) bit/s for \(channelCount) channels")
    }
    waiting.reserveCapacity(Self.framesPerPacket * channelCount)

    var head = ByteWriter()
    head.append(raw: "OpusHead".utf8)
    head.append(UInt8(1))
    head.append(UInt8(channelCount))
    head.append(UInt16(clamping: lookahead))
    head.append(UInt32(clamping: sourceRateInHz))
    head.append(Int16(0))
    head.append(UInt8(family))
    if family == 1 {
      head.append(UInt8(clamping: streams))
      head.append(UInt8(clamping: coupled))
      head.append(raw: mapping)
    }
    let vendor = opus_get_version_string().map { String(cString: $0) } ?? ""
    ready += pages.append(head.bytes, granule: 0, endsPage: true)
    ready += pages.append(
      Array("OpusTags".utf8) + XiphComments.block(vendor: vendor, tags, embedsPictures: true), granule: 0,
      endsPage: true)
  }

  deinit { opus_multistream_encoder_destroy(encoder) }

  func encode(_ samples: Span<Float>) throws(AudioEncodingError) -> [UInt8] {
    for frame in 0..<samples.count / channelCount {
      for source in order { waiting.append(samples[frame * channelCount + source]) }
      if waiting.count == Self.framesPerPacket * channelCount { try encodeWaiting() }
    }
    defer { ready.removeAll(keepingCapacity: true) }
    return ready
  }

  func finish() throws(AudioEncodingError) -> (end: [UInt8], start: [UInt8]) {
    while encodedFrameCount < delay + frameCount {
      let missing = Self.framesPerPacket * channelCount - waiting.count
      waiting.append(contentsOf: repeatElement(0, count: missing))
      try encodeWaiting()
    }
    return (ready + pages.finish(granule: delay + frameCount), [])
  }

  private func encodeWaiting() throws(AudioEncodingError) {
    let count = opus_multistream_encode_float(
      encoder, waiting, Int32(Self.framesPerPacket), &packet, Int32(packet.count))
    guard count > 0 else { throw AudioEncodingError(reason: "libopus failed (\(count))") }
    encodedFrameCount += Int64(Self.framesPerPacket)
    ready += pages.append(Array(packet[..<Int(count)]), granule: encodedFrameCount)
    waiting.removeAll(keepingCapacity: true)
  }
}
