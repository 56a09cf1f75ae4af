/// Bands in the order of their frequencies, and a gain for all of them.
package struct Equalizer: Hashable, Sendable {
  package static let maximumBandCount = 128
  package static let gains = EqualizerBand.gains

  /// Sorted by frequency; at most `maximumBandCount`.
  package let bands: [EqualizerBand]
  /// In decibels, −96…24: applied once, before the first band.
  package let gain: Double
  /// Whether the bands are the sliders of a graphic equalizer whose sum is to pass through each slider's gain at its
  /// centre: the filters are then solved for that, because neighbours overlap. Sliders at 0 dB have no filter.
  package let isCompensated: Bool

  package static let flat = Equalizer()

  private init() { (bands, gain, isCompensated) = ([], 0, false) }

  /// - Throws: `PresetError` for too many bands, or a gain out of range.
  package init(bands: [EqualizerBand], gain: Double = 0, isCompensated: Bool = false) throws(PresetError) {
    guard bands.count <= Self.maximumBandCount else {
      throw PresetError("\(bands.count) bands, there may be at most \(Self.maximumBandCount)")
    }
    // Stable: bands of one frequency stay in the order in which they were given.
    self.bands = bands.enumerated().sorted { ($0.element.frequency, $0.offset) < ($1.element.frequency, $1.offset) }
      .map(\.element)
    self.gain = try PresetError.checked(gain, "global gain", in: Self.gains, unit: "dB")
    self.isCompensated = isCompensated
  }
}
