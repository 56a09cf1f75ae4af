/// How much a lossy encoder may leave out.
package struct LossyEncoding: Hashable, Sendable {
  package static let qualities = -1.0...10.0
  package static let bitRates = 6_000...510_000

  /// Of Vorbis, as `oggenc -q`; 6 is about 192 kbit/s of stereo.
  package var quality: Double
  /// Of Opus, in bits per second for all channels; nil for 80 kbit/s a channel.
  package var bitRate: Int?
  /// Of the recording before it was brought to Opus's 48 kHz.
  package var sourceRateInHz: Int?

  package init(quality: Double = 6, bitRate: Int? = nil, sourceRateInHz: Int? = nil) {
    self.quality = quality
    self.bitRate = bitRate
    self.sourceRateInHz = sourceRateInHz
  }
}
