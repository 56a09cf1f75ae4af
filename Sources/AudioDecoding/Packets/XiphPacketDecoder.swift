import MediaModel

/// Turns the packets of Vorbis, Opus or Speex into PCM.
protocol XiphPacketDecoder: AnyObject {
  var format: AudioFormat { get }
  var bitRateInBitsPerSecond: Int? { get }
  /// Frames that the encoder added at the start, for a player to drop.
  var delayFrameCount: Int { get }
  /// Frames by which the decoder is late, in addition to those that the first position shows; the positions do not
  /// count them.
  var lookaheadFrameCount: Int { get }
  /// How samples depend on what was decoded before.
  var memory: XiphPacketMemory { get }

  /// Appends the samples of a packet.
  ///
  /// - Returns: whether the packet was intact.
  func decode(_ packet: [UInt8], appendingTo samples: inout [Float]) -> Bool

  /// Forgets the packets before, for a jump.
  func reset()

  /// Everything that the next samples depend on besides their packets; empty if the memory is limited.
  func savedState() -> [UInt8]

  /// Returns to a state from ``savedState()`` of a decoder with the same headers.
  func restore(_ state: [UInt8])
}

extension XiphPacketDecoder {
  var lookaheadFrameCount: Int { 0 }
}

/// How the samples of a packet depend on the packets before it.
enum XiphPacketMemory: Hashable {
  /// On the last frames: a decoder that starts `frameCount` frames earlier gives the same samples as one that starts at
  /// the beginning.
  case limited(frameCount: Int64)
  /// On all of them: only a saved state or the beginning leads to the same samples.
  case unlimited
  /// The same, and there is no state to save: only the beginning leads to the same samples.
  case unlimitedUnsaved

  var isLimited: Bool {
    if case .limited = self { true } else { false }
  }
}

/// Decodes packets of Opus and Vorbis in containers other than Ogg.
final class XiphPacketAdapter: PacketDecoder {
  private let decoder: any XiphPacketDecoder
  private var floats: [Float] = []

  init(_ decoder: any XiphPacketDecoder) { self.decoder = decoder }

  func decode(_ packet: UnsafeRawBufferPointer, into samples: inout [UInt32]) -> PacketFrames? {
    samples.removeAll(keepingCapacity: true)
    floats.removeAll(keepingCapacity: true)
    guard decoder.decode(Array(packet), appendingTo: &floats) else { return nil }
    for sample in floats { samples.append(sample.bitPattern) }
    let format = decoder.format
    return PacketFrames(
      frameCount: floats.count / format.channelCount, sampleRateInHz: format.sampleRateInHz,
      channelCount: format.channelCount, channelMask: nil, isInteger: false)
  }

  func savedState() -> [UInt8] { decoder.savedState() }

  func restore(_ state: [UInt8]) { decoder.restore(state) }
}
