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
}
