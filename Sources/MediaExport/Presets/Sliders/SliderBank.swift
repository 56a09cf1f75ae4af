internal import Glibc
internal import MediaModel

/// The ten sliders of a player at frequencies that cannot be changed.
///
/// A player's own filters overlap, each in another way; what its user means is the curve through the sliders, and that is how
/// they are read: as a compensated equalizer.
struct SliderBank: Hashable {
  /// In hertz, rising.
  let centers: [Double]
  let widths: [FilterWidth]

  /// Winamp's, and so XMMS's, Audacious's and VLC's.
  static let winamp = SliderBank(
    centers: [60, 170, 310, 600, 1_000, 3_000, 6_000, 12_000, 14_000, 16_000],
    // Broad enough that equal sliders make a level curve (within 0.6 dB), narrow enough that each can be set alone.
    octaves: [2, 1.8, 1.5, 1.5, 2, 2.2, 1.8, 1, 0.4, 0.8])

  /// An octave from each other.
  static let octaves = SliderBank(
    centers: GraphicEqualizer.centers,
    widths: Array(repeating: FilterShape.parametric.defaultWidth, count: GraphicEqualizer.centers.count))

  private init(centers: [Double], octaves: [Double]) {
    self.init(centers: centers, widths: octaves.map(FilterWidth.octaves))
  }

  private init(centers: [Double], widths: [FilterWidth]) {
    (self.centers, self.widths) = (centers, widths)
  }

  /// The equalizer of sliders at `values` decibels; values out of range are brought into it, and noted.
  func equalizer(_ values: [Double], gain: Double, at place: ExchangeNote.Place?, notes: inout ExchangeNotes)
    -> Equalizer
  {
    var draft = EqualizerDraft()
    for (index, value) in values.prefix(centers.count).enumerated() {
      draft.add(.parametric, frequency: centers[index], gain: value, width: widths[index], at: place, notes: &notes)
    }
    draft.add(gain: gain)
    return draft.equalizer(isCompensated: true, notes: &notes)
  }

  /// The sliders of an equalizer that is nothing but these sliders; nil for any other.
  ///
  /// Frequencies that are printed in another way count as one: 31, 31.25 and 32 Hz.
  func values(of equalizer: Equalizer) -> [Double]? {
    guard equalizer.bands.count == centers.count else { return nil }
    var values: [Double] = []
    for (band, center) in zip(equalizer.bands, centers) {
      guard band.shape == .parametric, band.channels == .all, abs(log2(band.frequency / center)) < 0.05 else {
        return nil
      }
      values.append(band.isBypassed ? 0 : band.gain)
    }
    return values
  }
}
