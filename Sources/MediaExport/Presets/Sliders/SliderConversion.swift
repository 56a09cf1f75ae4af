internal import MediaModel

/// Any equalizer as the positions of ten sliders.
struct SliderConversion {
  /// In decibels, as they are stored.
  let values: [Double]
  /// For all bands, as it is stored.
  let gain: Double
  let deviation: CurveDeviation

  /// - Parameter asEqualizer: What the stored sliders are when they are read again.
  init(
    _ equalizer: Equalizer, to bank: SliderBank, scale: SliderScale, notes: inout ExchangeNotes,
    asEqualizer: (_ values: [Double], _ gain: Double) -> Equalizer
  ) {
    gain = scale.globalGain(nearest: equalizer.gain)
    var reasons: [String] = []
    if let values = bank.values(of: equalizer), values.allSatisfy(scale.gains.contains),
      scale.globalGains.contains(equalizer.gain)
    {
      self.values = values.map(scale.value(nearest:))
    } else {
      let sought = SliderFit.values(equalizer, gain: gain, bank: bank)
      values = sought.map(scale.value(nearest:))
      for (value, center) in zip(sought, bank.centers) where !scale.gains.contains(value) {
        reasons.append("the slider at \(DecimalText.number(center, places: 2)) Hz ends at its range")
      }
      if !scale.globalGains.contains(equalizer.gain) {
        let text = DecimalText.number(equalizer.gain, places: 2)
        reasons.append("the global gain of \(text) dB is out of range, the sliders took what they could")
      }
      let bands = equalizer.bands.filter(\.isAudible)
      if Set(bands.map(\.channels)).count > 1 || bands.contains(where: { $0.channels != .all }) {
        reasons.append("left and right cannot differ: their mean is written")
      }
      for band in bands where band.shape == .allPass { reasons.append("the \(band.title) cannot be said") }
      reasons.append("\(bands.count) band\(bands.count == 1 ? "" : "s") became ten sliders")
    }
    for reason in reasons { notes.add(reason) }
    deviation = CurveDeviation(from: equalizer, to: asEqualizer(values, gain), sampleRate: CurveFit.sampleRate)
  }
}
