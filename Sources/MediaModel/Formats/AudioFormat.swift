/// The format of decoded PCM: interleaved 32-bit floats, nominally in `-1...1`.
package struct AudioFormat: Hashable, Sendable {
  /// How the source stores its samples, which determines how they are converted to 16-bit integers.
  package enum SampleEncoding: String, Hashable, Sendable {
    /// Integers of any width. Full scale is 2^15 in 16 bits; other widths keep their top 16 bits.
    case integer
    /// Floating point, and every lossy codec that decodes to it; full scale is 1.0.
    case floatingPoint
  }

  /// Which loudspeaker each channel is for, by its position.
  package enum ChannelOrder: UInt8, Hashable, Sendable {
    /// As in WAV and FLAC: left, right, centre, low-frequency effects, then back and side channels.
    case standard
    /// As in Vorbis and Opus: left, centre, right, then side and back channels, low-frequency effects last.
    case vorbis
    /// The channels are not for loudspeakers, or it is unknown for which.
    case unspecified
  }

  /// Sample rate in Hz, `1...384_000`.
  package var sampleRateInHz: Int
  /// Number of interleaved channels, `1...64`.
  package var channelCount: Int
  package var sampleEncoding: SampleEncoding
  package var channelOrder: ChannelOrder
  /// The loudspeakers of the channels, one bit each from the lowest, as in dwChannelMask of WAVEFORMATEXTENSIBLE; nil
  /// if the source only implies them, see ``channelOrder``.
  package var channelMask: UInt32?

  package init(
    sampleRateInHz: Int, channelCount: Int, sampleEncoding: SampleEncoding = .floatingPoint,
    channelOrder: ChannelOrder = .standard, channelMask: UInt32? = nil
  ) {
    precondition(sampleRateInHz > 0 && channelCount > 0, "an audio format needs a rate and a channel")
    self.sampleRateInHz = sampleRateInHz
    self.channelCount = channelCount
    self.sampleEncoding = sampleEncoding
    self.channelOrder = channelOrder
    self.channelMask = channelMask?.nonzeroBitCount == channelCount ? channelMask : nil
  }

  /// The default loudspeakers of WAV and FLAC for a number of channels (RFC 9639 section 9.1.3), as bits; 0 for more
  /// than eight.
  package static func standardMask(channelCount: Int) -> UInt32 {
    switch channelCount {
    case 1: 0x4
    case 2: 0x3
    case 3: 0x7
    case 4: 0x33
    case 5: 0x37
    case 6: 0x3F
    case 7: 0x70F
    case 8: 0x63F
    default: 0
    }
  }

  /// The loudspeakers of the channels if they differ from ``standardMask(channelCount:)``. nil if back channels are
  /// merely called side channels, or a single channel is not the centre.
  package var unusualMask: UInt32? {
    guard let mask = channelMask, mask != Self.standardMask(channelCount: channelCount) else { return nil }
    switch (channelCount, mask) {
    case (1, 0x1), (1, 0x2), (5, 0x607), (6, 0x60F): return nil
    default: return mask
    }
  }
}

/// Converts times to frames.
package enum FrameIndex {
  /// The frame at a time, `0...1e18`.
  ///
  /// Doubles cannot represent most decimal fractions: 2.3 s at 44,100 Hz is 101,429.99999999999 frames, but frame
  /// 101,430 is meant. So a product that is a whole number except for its last bits becomes that number; any other is
  /// rounded down.
  package static func frame(atSeconds seconds: Double, rateInHz: Double) -> Int64 {
    let place = seconds * rateInHz
    guard place > 0 else { return 0 }
    let nearest = place.rounded()
    let isWhole = abs(place - nearest) <= max(1e-6, place.ulp)
    return Int64(min(isWhole ? nearest : place.rounded(.down), 1e18))
  }
}
