/// Where the peaks for a request come from.
package enum WaveformSelection: Hashable, Sendable {
  /// The stored peaks of the mono mix suffice.
  case storedMix
  /// The stored peaks of the channels suffice.
  case storedChannels
  /// Audio must be decoded.
  case decoded(WaveformDecoding)
}
