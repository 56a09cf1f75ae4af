import MediaModel

/// Turns the packets of one logical Ogg stream into PCM.
protocol OggPacketDecoder: AnyObject {
  var format: AudioFormat { get }
  var bitRateInBitsPerSecond: Int? { get }
  /// Frames that the encoder put in front and a player drops.
  var delayFrameCount: Int { get }
  /// How samples depend on what was decoded before them.
  var memory: OggPacketMemory { get }

  /// Appends the samples of a packet.
  ///
  /// - Returns: whether the packet was sound.
  func decode(_ packet: OggPacketReader.Packet, appendingTo samples: inout [Float]) -> Bool

  /// Forgets the packets before, as after a jump.
  func reset()

  /// All that the next samples depend on besides their packets; empty where the memory is short.
  func savedState() -> [UInt8]

  /// Goes back to a state that ``savedState()`` of a decoder with the same headers gave.
  func restore(_ state: [UInt8])
}
