import MediaModel

/// Frames of AMR in a row: a byte with the frame type (RFC 4867 section 5.3), then speech in whole bytes.
struct AMRSyntax: BareFrameSyntax {
  let container = Container.amr
  let rules = StreamHashers.Rules.ofFrames("amr")
  let headByteCount = 1
  let band: AMRBand

  var codec: PacketCodec {
    let (band, codec) = (band, band.codec)
    // What is predicted is never forgotten completely.
    return PacketCodec(
      codec: codec, sampleRateInHz: band.sampleRateInHz, channelCount: 1,
      frameCountPerPacket: band.frameCountPerPacket, identity: "\(band.sampleRateInHz) 1",
      restart: .periodically(period: 2048, prerollCount: 32)
    ) { () throws(DecodingError) in try AMRDecoder(band) }
  }

  func canBegin(with byte: UInt8) -> Bool { byteCount(byte) != nil }

  func frame(_ head: [UInt8]) -> BareFrame? {
    head.first.flatMap { byteCount($0) }.map { BareFrame(byteCount: $0) }
  }

  /// Of the frame that begins with `head`; nil if none does. The bits around type and quality are 0.
  private func byteCount(_ head: UInt8) -> Int? {
    guard head & 0x83 == 0 else { return nil }
    return band.byteCount(ofFrameType: Int(head >> 3)).map { $0 + 1 }
  }
}

/// Decodes AMR through libavcodec, which refuses frames without speech: they become silence of the same length.
final class AMRDecoder: PacketDecoder {
  private let band: AMRBand
  private let speech: FFmpegDecoder

  init(_ band: AMRBand) throws(DecodingError) {
    self.band = band
    speech = try FFmpegDecoder(
      band.codec, name: band.decoderName, extradata: [], sampleRateInHz: band.sampleRateInHz, channelCount: 1)
  }

  func decode(_ packet: UnsafeRawBufferPointer, into samples: inout [UInt32]) -> PacketFrames? {
    guard let head = packet.first else { return nil }
    guard !band.isSpeech(Int(head >> 3)) else { return speech.decode(packet, into: &samples) }
    samples = [UInt32](repeating: 0, count: band.frameCountPerPacket)
    return PacketFrames(
      frameCount: band.frameCountPerPacket, sampleRateInHz: band.sampleRateInHz, channelCount: 1, channelMask: nil,
      isInteger: false)
  }
}
