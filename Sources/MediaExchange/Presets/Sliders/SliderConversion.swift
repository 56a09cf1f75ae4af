internal import Base
internal import MediaModel

/// Converts an equalizer to the positions of ten sliders.
struct SliderConversion {
  /// In decibels, rounded as the format stores them.
  let values: [Double]
  /// The global gain, rounded as the format stores it.
  let gain: Double
  let deviation: CurveDeviation

  /// - Parameter asEqualizer: Reads the stored sliders back.
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
        reasons.append("the slider at \(DecimalText.number(center, places: 2)) Hz is at the end of its range")
      }
      if !scale.globalGains.contains(equalizer.gain) {
        let text = DecimalText.number(equalizer.gain, places: 2)
        reasons.append("the global gain of \(text) dB is out of range; the sliders took over what they could")
      }
      let bands = equalizer.bands.filter(\.isAudible)
      if Set(bands.map(\.channels)).count > 1 || bands.contains(where: { $0.channels != .all }) {
        reasons.append("left and right cannot differ; their mean is written")
      }
      for band in bands where band.shape == .allPass { reasons.append("the \(band.title) cannot be written") }
      reasons.append("\(bands.count) band\(bands.count == 1 ? "" : "s") became ten sliders")
    }
    for reason in reasons { notes.add(reason) }
    deviation = CurveDeviation(from: equalizer, to: asEqualizer(values, gain), sampleRate: CurveFit.sampleRate)
  }
}

/// Finds the slider positions whose curve is closest to that of an equalizer.
enum SliderFit {
  /// The decibels of each slider for a compensated equalizer, whose curve passes through them: the best curve at each
  /// centre.
  static func values(_ equalizer: Equalizer, gain: Double, bank: SliderBank) -> [Double] {
    BandResponse(frequencies: bank.centers, sampleRate: CurveFit.sampleRate)
      .decibels(bands(equalizer, gain: gain, bank: bank))
  }

  /// The decibels of each peak for an equalizer whose bands simply add up.
  static func gains(_ equalizer: Equalizer, gain: Double, bank: SliderBank) -> [Double] {
    bands(equalizer, gain: gain, bank: bank).map(\.gain)
  }

  private static func bands(_ equalizer: Equalizer, gain: Double, bank: SliderBank) -> [FittedBand] {
    let rate = CurveFit.sampleRate
    let grid = FrequencyGrid.points(from: 20, to: 20_000, perOctave: 24)
    let channels = [0, 1].map { equalizer.response(at: grid, sampleRate: rate, channel: $0) }
    let range = EqualizerBand.gains
    let target = zip(channels[0], channels[1]).map {
      min(max(($0 + $1) / 2 - gain, range.lowerBound), range.upperBound)
    }
    let response = BandResponse(frequencies: grid, sampleRate: rate)
    let curve = GainCurve(zip(grid, target).map { GainCurve.Point(frequency: $0, gain: $1) })
    var bands = zip(bank.centers, bank.widths).map { center, width in
      FittedBand(.peak, frequency: center, gain: curve.gain(at: center) / 2, quality: width.quality)
    }
    // Nearly linear in the gains: a few Gauss–Newton steps suffice.
    for _ in 0..<8 {
      let rest = zip(target, response.decibels(bands)).map { $0 - $1 }
      var equations = NormalEquations(
        slopes: bands.map { response.slopes(of: $0, by: \.gain) }, errors: rest,
        weights: [Double](repeating: 1, count: grid.count))
      for (index, band) in bands.enumerated() { equations.pull(index, by: band.gain, strength: 0.02) }
      guard let step = equations.solved(damping: 1e-3) else { break }
      for index in bands.indices {
        bands[index].gain = min(max(bands[index].gain + step[index], range.lowerBound), range.upperBound)
      }
    }
    return bands
  }
}
