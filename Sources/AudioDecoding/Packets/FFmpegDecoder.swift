internal import CFFmpeg
import MediaModel

/// A decoder of libavcodec, which gets packets one by one.
///
/// It neither trims nor seeks; both are ours, so that lengths and positions are the same with every version of FFmpeg.
struct FFmpegDecoder: ~Copyable {
  /// What the samples of one packet are.
  struct Frames: Hashable {
    let frameCount: Int
    let sampleRateInHz: Int
    let channelCount: Int
    /// As in WAVEFORMATEXTENSIBLE; nil if it is not known.
    let channelMask: UInt32?
    let isInteger: Bool

    /// Whether both can stand in one stream.
    func hasShape(of other: Frames) -> Bool {
      sampleRateInHz == other.sampleRateInHz && channelCount == other.channelCount && isInteger == other.isInteger
    }
  }

  private let handle: OpaquePointer

  init(_ codec: PacketCodec) throws(DecodingError) {
    if let problem = dw_ffmpeg_load() { throw .missingLibrary(reason: String(cString: problem)) }
    let handle = codec.decoderName.withCString { name in
      codec.extradata.withUnsafeBufferPointer { extradata in
        var setup = dw_ffmpeg_setup()
        setup.name = name
        setup.extradata = extradata.baseAddress
        setup.extradata_size = extradata.count
        setup.sample_rate = Int32(clamping: codec.sampleRateInHz)
        setup.channel_count = Int32(clamping: codec.channelCount)
        setup.bits_per_sample = Int32(clamping: codec.bitsPerSample ?? 0)
        return dw_ffmpeg_open(&setup)
      }
    }
    guard let handle else {
      throw .unsupported(reason: "FFmpeg does not open its decoder for \(codec.codec.rawValue)")
    }
    self.handle = handle
  }

  deinit { dw_ffmpeg_close(handle) }

  /// Decodes one packet.
  ///
  /// - Parameter samples: gets what it gives, interleaved, in place of what was there: floats, or integers of 32 bits,
  ///   filled up from below.
  /// - Returns: nil if the packet is broken, or gives nothing.
  func decode(_ packet: UnsafeRawBufferPointer, into samples: inout [UInt32]) -> Frames? {
    samples.removeAll(keepingCapacity: true)
    let bytes = packet.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let isAccepted = dw_ffmpeg_send(handle, bytes, packet.count) == 0
    var result: Frames?
    var frame = dw_ffmpeg_frame()
    // Also after an error, so that nothing is left for the next packet.
    while dw_ffmpeg_receive(handle, &frame) == 1 {
      let frames = Frames(
        frameCount: Int(frame.frame_count) + (result?.frameCount ?? 0), sampleRateInHz: Int(frame.sample_rate),
        channelCount: Int(frame.channel_count),
        channelMask: frame.channel_mask == 0 ? nil : UInt32(exactly: frame.channel_mask),
        isInteger: frame.is_integer != 0)
      if let result, !result.hasShape(of: frames) { return nil }
      let count = Int(frame.frame_count) * Int(frame.channel_count)
      let start = samples.count
      samples.append(contentsOf: repeatElement(0, count: count))
      samples.withUnsafeMutableBytes { dw_ffmpeg_copy(handle, $0.baseAddress.map { $0 + 4 * start }) }
      result = frames
    }
    return isAccepted ? result : nil
  }
}
