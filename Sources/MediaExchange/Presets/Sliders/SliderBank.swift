internal import Glibc
internal import MediaModel

/// The ten sliders of a player, at fixed frequencies.
///
/// The filters of each player overlap in their own way. What the user means is the curve through the sliders, so they
/// are read as a compensated equalizer.
struct SliderBank: Hashable {
  /// In hertz, ascending.
  let centers: [Double]
  let widths: [FilterWidth]

  /// The sliders of Winamp, which XMMS, Audacious and VLC have, too.
  static let winamp = SliderBank(
    centers: [60, 170, 310, 600, 1_000, 3_000, 6_000, 12_000, 14_000, 16_000],
    // Wide enough that equal sliders make a flat curve (within 0.6 dB), narrow enough that each can be set
    // independently.
    octaves: [2, 1.8, 1.5, 1.5, 2, 2.2, 1.8, 1, 0.4, 0.8])

  /// One octave apart.
  static let octaves = SliderBank(
    centers: GraphicEqualizer.centers,
    widths: Array(repeating: FilterShape.parametric.defaultWidth, count: GraphicEqualizer.centers.count))

  private init(centers: [Double], octaves: [Double]) {
    self.init(centers: centers, widths: octaves.map(FilterWidth.octaves))
  }

  private init(centers: [Double], widths: [FilterWidth]) {
    (self.centers, self.widths) = (centers, widths)
  }

  /// The equalizer for sliders at `values` decibels. Values out of range are clamped, with a note.
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

  /// The slider values of an equalizer that consists of exactly these sliders; nil for any other.
  ///
  /// Differently rounded frequencies count as equal: 31, 31.25 and 32 Hz.
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

/// The values that the sliders of a format can have.
struct SliderScale: Sendable {
  /// In decibels.
  var gains: ClosedRange<Double>
  /// For the global gain.
  var globalGains: ClosedRange<Double>
  /// Rounds to the nearest value that the format can store.
  var stored: @Sendable (Double) -> Double
  /// The same for the global gain.
  var storedGlobal: @Sendable (Double) -> Double

  init(
    gains: ClosedRange<Double>, globalGains: ClosedRange<Double>, stored: @escaping @Sendable (Double) -> Double,
    storedGlobal: (@Sendable (Double) -> Double)? = nil
  ) {
    (self.gains, self.globalGains, self.stored) = (gains, globalGains, stored)
    self.storedGlobal = storedGlobal ?? stored
  }

  func value(nearest gain: Double) -> Double { stored(min(max(gain, gains.lowerBound), gains.upperBound)) }

  func globalGain(nearest gain: Double) -> Double {
    storedGlobal(min(max(gain, globalGains.lowerBound), globalGains.upperBound))
  }
}
