/// One filter of an equalizer; its values are always finite and within the ranges it states.
package struct EqualizerBand: Hashable, Sendable {
  package static let frequencies = 1.0...384_000.0
  package static let gains = -96.0...24.0

  package let shape: FilterShape
  /// In hertz: the centre, the corner, or the middle of the slope. A filter is never realised above 0.499 of a recording's rate.
  package let frequency: Double
  /// In decibels; 0 where the shape has none.
  package let gain: Double
  package let width: FilterWidth
  package let channels: BandChannels
  /// Kept, but not heard.
  package let isBypassed: Bool

  /// - Parameter width: nil for the shape's own.
  /// - Throws: `PresetError` for a value that is not finite or out of its range.
  package init(
    _ shape: FilterShape, frequency: Double, gain: Double = 0, width: FilterWidth? = nil, channels: BandChannels = .all,
    isBypassed: Bool = false
  ) throws(PresetError) {
    self.shape = shape
    self.frequency = try PresetError.checked(frequency, "frequency", in: Self.frequencies, unit: "Hz")
    self.gain = shape.hasGain ? try PresetError.checked(gain, "gain", in: Self.gains, unit: "dB") : 0
    self.width =
      switch shape.hasWidth ? width ?? shape.defaultWidth : shape.defaultWidth {
      case .quality(let value): .quality(try PresetError.checked(value, "Q", in: FilterWidth.qualities, unit: ""))
      case .octaves(let value):
        .octaves(try PresetError.checked(value, "bandwidth", in: FilterWidth.octaveRange, unit: "octaves"))
      }
    self.channels = channels
    self.isBypassed = isBypassed
  }

  /// Whether it changes what passes through: a band of 0 dB, or one that is bypassed, does not.
  package var isAudible: Bool { !isBypassed && (!shape.hasGain || gain != 0) }
}
