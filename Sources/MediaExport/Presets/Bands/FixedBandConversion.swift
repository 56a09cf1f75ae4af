internal import MediaModel

/// Any equalizer as ten peaks an octave apart, whose gains add up.
struct FixedBandConversion {
  let gains: [Double]
  /// For all bands.
  let gain: Double
  let deviation: CurveDeviation

  init(_ equalizer: Equalizer, scale: SliderScale, notes: inout ExchangeNotes) {
    let gain = scale.globalGain(nearest: equalizer.gain)
    self.gain = gain
    if !equalizer.isCompensated, let values = SliderBank.octaves.values(of: equalizer),
      equalizer.bands.allSatisfy({ abs($0.width.quality - 2.squareRoot()) < 0.01 }),
      values.allSatisfy(scale.gains.contains)
    {
      gains = values.map(scale.value(nearest:))
    } else {
      let sought = SliderFit.gains(equalizer, gain: gain, bank: .octaves)
      gains = sought.map(scale.value(nearest:))
      for (value, center) in zip(sought, SliderBank.octaves.centers) where !scale.gains.contains(value) {
        notes.add("the band at \(DecimalText.number(center, places: 2)) Hz ends at its range")
      }
      if Set(equalizer.bands.filter(\.isAudible).map(\.channels)).contains(where: { $0 != .all }) {
        notes.add("left and right cannot differ: their mean is written")
      }
      for band in equalizer.bands where band.shape == .allPass && band.isAudible {
        notes.add("the \(band.title) changes phases only and cannot be said: left out")
      }
      notes.add("\(equalizer.bands.count { $0.isAudible }) bands became ten of fixed frequencies")
    }
    let bands = zip(SliderBank.octaves.centers, gains).map { try? EqualizerBand(.parametric, frequency: $0, gain: $1) }
    let result = (try? Equalizer(bands: bands.compactMap(\.self), gain: gain)) ?? .flat
    deviation = CurveDeviation(from: equalizer, to: result, sampleRate: CurveFit.sampleRate)
  }
}
