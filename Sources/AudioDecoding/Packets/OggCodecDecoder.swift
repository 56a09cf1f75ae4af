import MediaModel

/// Decodes packets of Opus and Vorbis in containers other than Ogg.
final class OggCodecDecoder: PacketDecoder {
  private let decoder: any OggPacketDecoder
  private var floats: [Float] = []

  init(_ decoder: any OggPacketDecoder) { self.decoder = decoder }

  func decode(_ packet: UnsafeRawBufferPointer, into samples: inout [UInt32]) -> PacketFrames? {
    samples.removeAll(keepingCapacity: true)
    floats.removeAll(keepingCapacity: true)
    let packet = OggPacketReader.Packet(bytes: Array(packet), granule: nil, isLast: false)
    guard decoder.decode(packet, appendingTo: &floats) else { return nil }
    for sample in floats { samples.append(sample.bitPattern) }
    let format = decoder.format
    return PacketFrames(
      frameCount: floats.count / format.channelCount, sampleRateInHz: format.sampleRateInHz,
      channelCount: format.channelCount, channelMask: nil, isInteger: false)
  }

  func reset() { decoder.reset() }

  func savedState() -> [UInt8] { decoder.savedState() }

  func restore(_ state: [UInt8]) { decoder.restore(state) }
}
