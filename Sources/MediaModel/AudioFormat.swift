/// The shape of a stream of decoded PCM: interleaved 32-bit floats, nominally in `-1...1`.
package struct AudioFormat: Hashable, Sendable {
  /// How the source held its samples, which decides how they become 16-bit integers again.
  package enum SampleEncoding: String, Hashable, Sendable {
    /// Integers of any width; full scale is 2^15 in 16 bit, narrower and wider widths keep their top 16 bits.
    case integer
    /// Floating point, and every lossy codec that decodes to it; full scale is 1.0.
    case floatingPoint
  }

  /// Which loudspeaker a channel is for, by its place.
  package enum ChannelOrder: UInt8, Hashable, Sendable {
    /// That of WAV and FLAC: left, right, centre, low-frequency effects, then what is behind and at the sides.
    case standard
    /// That of Vorbis and Opus: left, centre, right, then what is at the sides and behind, low-frequency effects last.
    case vorbis
    /// Channels that are not for loudspeakers, or nobody says for which.
    case unspecified
  }

  /// Sample rate in Hz, `1...384_000`.
  package var sampleRateInHz: Int
  /// Number of interleaved channels, `1...64`.
  package var channelCount: Int
  package var sampleEncoding: SampleEncoding
  package var channelOrder: ChannelOrder
  /// The loudspeakers of the channels, a bit for each from the lowest on, as dwChannelMask of WAVEFORMATEXTENSIBLE has them;
  /// nil where the source leaves it to ``channelOrder``.
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

  /// The loudspeakers that WAV and FLAC take for granted for so many channels (RFC 9639 section 9.1.3), as bits; 0 beyond
  /// eight.
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

  /// The loudspeakers of the channels, where they are others than ``standardMask(channelCount:)``; nil where the channels
  /// behind are only called those at the sides, and where a single one is not in the middle.
  package var unusualMask: UInt32? {
    guard let mask = channelMask, mask != Self.standardMask(channelCount: channelCount) else { return nil }
    switch (channelCount, mask) {
    case (1, 0x1), (1, 0x2), (5, 0x607), (6, 0x60F): return nil
    default: return mask
    }
  }
}
