import MediaModel

/// Decodes Vorbis packets of one or two channels through libavcodec.
///
/// It takes less than half of libvorbis's time for samples that differ by 5 · 10⁻⁷ at most
/// (docs/decisions/0064). More channels would come in another order.
final class FFmpegVorbisDecoder: XiphPacketDecoder {
  let format: AudioFormat
  let bitRateInBitsPerSecond: Int?
  let delayFrameCount = 0
  let memory: XiphPacketMemory
  private let decoder: FFmpegDecoder
  /// Bits of floats.
  private var decoded: [UInt32] = []

  /// nil if the library is not there, or does not decode such a stream.
  init?(_ headers: VorbisHeaders) {
    guard headers.format.channelCount <= 2,
      let decoder = try? FFmpegDecoder(
        .vorbis, name: "vorbis", extradata: headers.laced, sampleRateInHz: headers.format.sampleRateInHz,
        channelCount: headers.format.channelCount)
    else { return nil }
    self.decoder = decoder
    format = headers.format
    bitRateInBitsPerSecond = headers.bitRateInBitsPerSecond
    memory = headers.memory
  }

  func decode(_ packet: [UInt8], appendingTo samples: inout [Float]) -> Bool {
    guard let first = packet.first else { return true }
    // The library would take headers among the audio for new ones.
    guard first & 1 == 0 else { return false }
    let (frames, isIntact) = packet.withUnsafeBytes { decoder.decodeAll($0, into: &decoded) }
    guard isIntact else { return false }
    // The first packet gives nothing.
    guard let frames else { return true }
    guard frames.channelCount == format.channelCount, !frames.isInteger else { return false }
    let start = samples.count
    samples.append(contentsOf: repeatElement(0, count: decoded.count))
    samples.withUnsafeMutableBufferPointer { samples in
      // The sign of a zero may depend on the processor: + 0 makes it positive.
      for index in decoded.indices { samples[start + index] = Float(bitPattern: decoded[index]) + 0 }
    }
    return true
  }

  func reset() { decoder.reset() }

  func savedState() -> [UInt8] { [] }

  func restore(_ state: [UInt8]) {}
}
