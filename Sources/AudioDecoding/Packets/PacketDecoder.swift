import MediaModel

/// Turns the packets of one track into samples, one by one.
///
/// A new one is ready for any packet that does not depend on those before. It neither trims nor seeks; both are ours,
/// so that lengths and positions do not depend on a library's version.
protocol PacketDecoder: AnyObject {
  /// Decodes one packet.
  ///
  /// - Parameter samples: gets what it gives, interleaved, in place of what was there: the bits of floats, or integers
  ///   of 32 bits, filled up from below.
  /// - Returns: nil if the packet is broken, or gives nothing.
  func decode(_ packet: UnsafeRawBufferPointer, into samples: inout [UInt32]) -> PacketFrames?

  /// Everything that the next samples depend on besides their packets; empty unless the codec has
  /// ``PacketRestart/fromSavedStates``.
  func savedState() -> [UInt8]

  /// Returns to a state from ``savedState()`` of a decoder of the same track.
  func restore(_ state: [UInt8])
}

extension PacketDecoder {
  func savedState() -> [UInt8] { [] }

  func restore(_ state: [UInt8]) {}
}

/// What the samples of one packet are.
struct PacketFrames: Hashable {
  var frameCount: Int
  let sampleRateInHz: Int
  let channelCount: Int
  /// As in WAVEFORMATEXTENSIBLE; nil if it is not known.
  let channelMask: UInt32?
  let isInteger: Bool

  /// Whether both can stand in one stream.
  func hasShape(of other: PacketFrames) -> Bool {
    sampleRateInHz == other.sampleRateInHz && channelCount == other.channelCount && isInteger == other.isInteger
  }

  var shape: String { AudioFormat.shape(sampleRateInHz: sampleRateInHz, channelCount: channelCount) }
}

extension Problem {
  static func noPacketDecodes(of codec: Codec) -> Problem {
    Problem(code: "undecodable", reason: "none of the first \(codec.rawValue) packets can be decoded")
  }

  /// What is wrong with a packet that begins at `frame`.
  ///
  /// - Parameters:
  ///   - frames: what it gave.
  ///   - shape: what it should give.
  static func packet(
    _ number: Int64, of codec: Codec, atFrame frame: Int64, gave frames: PacketFrames?, insteadOf shape: PacketFrames
  ) -> Problem {
    if let frames, !frames.hasShape(of: shape) {
      return .parametersChange(atFrame: frame, to: frames.shape, sampleRateInHz: shape.sampleRateInHz)
    }
    return Problem(
      code: "undecodable", reason: "\(codec.rawValue) packet \(number) cannot be decoded",
      positionInSeconds: Double(frame) / Double(shape.sampleRateInHz))
  }

  /// The container says that packets are missing.
  static func missingPackets(before number: Int64, atFrame frame: Int64, sampleRateInHz: Int) -> Problem {
    Problem(
      code: "missing-packets", reason: "packets are missing before packet \(number)",
      positionInSeconds: Double(frame) / Double(sampleRateInHz))
  }
}
