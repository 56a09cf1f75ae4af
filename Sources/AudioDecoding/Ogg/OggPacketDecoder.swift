import MediaModel

/// Turns the packets of one logical Ogg stream into PCM.
protocol OggPacketDecoder: AnyObject {
  var format: AudioFormat { get }
  var bitRateInBitsPerSecond: Int? { get }
  /// Frames that the encoder added at the start, for a player to drop.
  var delayFrameCount: Int { get }
  /// Frames by which the decoder is late, in addition to those that the first position shows; the positions do not
  /// count them.
  var lookaheadFrameCount: Int { get }
  /// How samples depend on what was decoded before.
  var memory: OggPacketMemory { get }

  /// Appends the samples of a packet.
  ///
  /// - Returns: whether the packet was intact.
  func decode(_ packet: OggPacketReader.Packet, appendingTo samples: inout [Float]) -> Bool

  /// Forgets the packets before, for a jump.
  func reset()

  /// Everything that the next samples depend on besides their packets; empty if the memory is limited.
  func savedState() -> [UInt8]

  /// Returns to a state from ``savedState()`` of a decoder with the same headers.
  func restore(_ state: [UInt8])
}

extension OggPacketDecoder {
  var lookaheadFrameCount: Int { 0 }
}

/// How the samples of a packet depend on the packets before it.
enum OggPacketMemory: Hashable {
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
