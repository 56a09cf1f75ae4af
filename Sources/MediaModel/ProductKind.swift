/// A kind of stored analysis; docs/formats.md gives the bytes of each.
package enum ProductKind: String, CaseIterable, Comparable, Sendable {
  /// Minimum and maximum of the mono mix, 8 bit, 256 frames a point.
  case waveform
  /// Minimum and maximum of each of the first eight channels, 8 bit, 512 frames a point.
  case channelWaveform = "waveform-channels"
  /// RMS and the energy of three bands of the mono mix, 1,024 frames a point.
  case waveformEnergy = "waveform-energy"
  /// Mean and maximum spectrum of the whole recording.
  case spectrum
  /// Logarithmic bands over time, four columns a second.
  case spectrogram
  /// How many blocks of 400 ms are how loud, for the loudness of albums.
  case loudness
  /// What AcoustID knows the recording by, from its first two minutes.
  case fingerprint
  /// Single numbers: levels, loudness, offsets, silence.
  case measures

  package static func < (left: ProductKind, right: ProductKind) -> Bool { left.rawValue < right.rawValue }
}
