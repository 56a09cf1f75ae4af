/// The ten-band graphic equalizer: parametric bands an octave apart, of an octave's width.
package enum GraphicEqualizer {
  /// 31.25 Hz · 2ⁱ; shown as 32, 64, 125 … 16k.
  package static let centers: [Double] = (0..<10).map { 31.25 * Double(1 << $0) }
  /// Of a slider, in decibels.
  package static let gains = -12.0...12.0

  /// - Parameter sliders: Ten gains in decibels, −12…12; a slider at 0 gives a band that is not heard.
  /// - Throws: `PresetError` for another count, or a gain out of range.
  package static func equalizer(
    sliders: [Double], gain: Double = 0, isCompensated: Bool = false
  ) throws(PresetError) -> Equalizer {
    guard sliders.count == centers.count else {
      throw PresetError("\(sliders.count) gains, a graphic equalizer has \(centers.count)")
    }
    var bands: [EqualizerBand] = []
    for (center, slider) in zip(centers, sliders) {
      let gain = try PresetError.checked(slider, "gain at \(Int(center)) Hz", in: gains, unit: "dB")
      bands.append(try EqualizerBand(.parametric, frequency: center, gain: gain))
    }
    return try Equalizer(bands: bands, gain: gain, isCompensated: isCompensated)
  }
}
