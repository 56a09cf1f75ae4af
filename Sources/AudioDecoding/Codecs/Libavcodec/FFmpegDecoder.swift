internal import CFFmpeg
import MediaModel

/// A decoder of libavcodec.
final class FFmpegDecoder: PacketDecoder {
  private let handle: OpaquePointer
  /// Whether packets may have bytes behind their frame that do not decode.
  private var mayBePadded = false

  /// - Parameter name: FFmpeg's, of the decoder. What is 0 is not known.
  init(
    _ codec: Codec, name: String, extradata: [UInt8], sampleRateInHz: Int, channelCount: Int, bitsPerSample: Int = 0
  ) throws(DecodingError) {
    if let problem = dw_ffmpeg_load() { throw .missingLibrary(reason: String(cString: problem)) }
    let handle = name.withCString { name in
      extradata.withUnsafeBufferPointer { extradata in
        var setup = dw_ffmpeg_setup()
        setup.name = name
        setup.extradata = extradata.baseAddress
        setup.extradata_size = extradata.count
        setup.sample_rate = Int32(clamping: sampleRateInHz)
        setup.channel_count = Int32(clamping: channelCount)
        setup.bits_per_sample = Int32(clamping: bitsPerSample)
        return dw_ffmpeg_open(&setup)
      }
    }
    guard let handle else {
      throw .unsupported(reason: "FFmpeg cannot open its decoder for \(codec.rawValue)")
    }
    self.handle = handle
    mayBePadded = codec == .aac
  }

  /// For a stream that libavformat has found; nil if there is no decoder.
  init?(_ stream: dw_ffmpeg_stream) {
    var setup = stream.setup
    guard setup.name != nil, let handle = dw_ffmpeg_open(&setup) else { return nil }
    self.handle = handle
  }

  deinit { dw_ffmpeg_close(handle) }

  /// Forgets the packets before, for a jump.
  func reset() { dw_ffmpeg_reset(handle) }

  func decode(_ packet: UnsafeRawBufferPointer, into samples: inout [UInt32]) -> PacketFrames? {
    let result = decodeAll(packet, into: &samples)
    return result.isIntact ? result.frames : nil
  }

  /// Decodes a packet, or without one what is left behind the last.
  ///
  /// - Returns: what it gives, also if that is less than it should be; and whether the packet is intact.
  func decodeAll(
    _ packet: UnsafeRawBufferPointer?, into samples: inout [UInt32]
  ) -> (frames: PacketFrames?, isIntact: Bool) {
    samples.removeAll(keepingCapacity: true)
    // For the library, a packet without bytes is the end.
    var isIntact = packet?.isEmpty != true
    if isIntact {
      let bytes = packet?.baseAddress?.assumingMemoryBound(to: UInt8.self)
      isIntact = dw_ffmpeg_send(handle, bytes, packet?.count ?? 0) == 0
    }
    var result: PacketFrames?
    var frame = dw_ffmpeg_frame()
    // Also after an error, so that nothing is left for the next packet.
    while true {
      let code = dw_ffmpeg_receive(handle, &frame)
      guard code == 1 else { return (result, isIntact && (code == 0 || mayBePadded && result != nil)) }
      var frames = PacketFrames(frame)
      if let result, !result.hasShape(of: frames) {
        isIntact = false
        continue
      }
      let start = samples.count
      samples.append(contentsOf: repeatElement(0, count: frames.frameCount * frames.channelCount))
      samples.withUnsafeMutableBytes { dw_ffmpeg_copy(handle, $0.baseAddress.map { $0 + 4 * start }) }
      frames.frameCount += result?.frameCount ?? 0
      result = frames
    }
  }
}

extension PacketFrames {
  fileprivate init(_ frame: dw_ffmpeg_frame) {
    self.init(
      frameCount: Int(frame.frame_count), sampleRateInHz: Int(frame.sample_rate),
      channelCount: Int(frame.channel_count),
      channelMask: frame.channel_mask == 0 ? nil : UInt32(exactly: frame.channel_mask),
      isInteger: frame.is_integer != 0)
  }
}

extension PacketCodec {
  /// What a decoder of libavcodec decodes, by its name there.
  ///
  /// - Parameter extradata: What it has to know before the first packet.
  static func ffmpeg(
    _ name: String, extradata: [UInt8] = [], codec: Codec, sampleRateInHz: Int, channelCount: Int,
    bitsPerSample: Int? = nil, frameCountPerPacket: Int?, identity: String = "", replacedIdentity: String? = nil,
    restart: PacketRestart
  ) -> PacketCodec {
    PacketCodec(
      codec: codec, sampleRateInHz: sampleRateInHz, channelCount: channelCount, bitsPerSample: bitsPerSample,
      frameCountPerPacket: frameCountPerPacket, identity: identity, replacedIdentity: replacedIdentity,
      restart: restart
    ) { () throws(DecodingError) in
      try FFmpegDecoder(
        codec, name: name, extradata: extradata, sampleRateInHz: sampleRateInHz, channelCount: channelCount,
        bitsPerSample: bitsPerSample ?? 0)
    }
  }
}
