internal import MediaModel

/// Sliders at fixed frequencies, set so that their curve comes nearest to an equalizer's.
enum SliderFit {
  /// Decibels of each slider: the value of the best curve at its centre, which is what a compensated equalizer passes through.
  static func values(_ equalizer: Equalizer, gain: Double, bank: SliderBank) -> [Double] {
    BandResponse(frequencies: bank.centers, sampleRate: CurveFit.sampleRate)
      .decibels(bands(equalizer, gain: gain, bank: bank))
  }

  /// Decibels of each peak itself, where they simply add up.
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
    // Nearly linear in the gains: a few steps of Gauss's and Newton's method.
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
