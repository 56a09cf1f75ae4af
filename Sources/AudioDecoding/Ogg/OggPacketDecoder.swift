import MediaModel

/// Turns the packets of one logical Ogg stream into PCM.
protocol OggPacketDecoder: AnyObject {
  var format: AudioFormat { get }
  var bitRateInBitsPerSecond: Int? { get }
  /// Frames that the encoder put in front and a player drops.
  var delayFrameCount: Int { get }
  /// Frames to be decoded before a position so that what follows is right.
  var prerollFrameCount: Int64 { get }

  /// Appends the samples of a packet.
  ///
  /// - Returns: whether the packet was sound.
  func decode(_ packet: OggPacketReader.Packet, appendingTo samples: inout [Float]) -> Bool

  /// Forgets the packets before, as after a jump.
  func reset()
}
