internal import CFFmpeg
import MediaModel

/// A decoder of libavcodec.
final class FFmpegDecoder: PacketDecoder {
  private let handle: OpaquePointer

  init(_ codec: PacketCodec, name: String, extradata: [UInt8]) throws(DecodingError) {
    if let problem = dw_ffmpeg_load() { throw .missingLibrary(reason: String(cString: problem)) }
    let handle = name.withCString { name in
      extradata.withUnsafeBufferPointer { extradata in
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

  func decode(_ packet: UnsafeRawBufferPointer, into samples: inout [UInt32]) -> PacketFrames? {
    samples.removeAll(keepingCapacity: true)
    // For the library, a packet without bytes is the end.
    guard let bytes = packet.baseAddress, !packet.isEmpty else { return nil }
    let isAccepted = dw_ffmpeg_send(handle, bytes.assumingMemoryBound(to: UInt8.self), packet.count) == 0
    var result: PacketFrames?
    var frame = dw_ffmpeg_frame()
    // Also after an error, so that nothing is left for the next packet.
    while dw_ffmpeg_receive(handle, &frame) == 1 {
      let frames = PacketFrames(
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
