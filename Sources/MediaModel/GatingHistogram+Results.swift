extension GatingHistogram {
  /// Loudness of the blocks that pass both gates, in LUFS; nil where there are none.
  package var integratedLoudness: Double? {
    var sum = Bin()
    for bin in bins(aboveMeanBy: -10) {
      sum.count += bin.count
      sum.energy += bin.energy
    }
    return LoudnessScale.loudness(ofEnergy: sum.meanEnergy)
  }

  /// Distance from the quiet to the loud, in LU, of a histogram of short-term loudness: from the 10th to the 95th percentile,
  /// silence and fades left out by the gates; nil where nothing passes them.
  ///
  /// Source: EBU Tech 3342.
  package var loudnessRange: Double? {
    let passed = bins(aboveMeanBy: -20)
    let count = passed.reduce(0) { $0 + $1.count }
    func percentile(_ share: Double) -> Double? {
      var rank = Int(Double(max(count - 1, 0)) * share + 0.5)
      for bin in passed {
        guard rank >= bin.count else { return LoudnessScale.loudness(ofEnergy: bin.meanEnergy) }
        rank -= bin.count
      }
      return nil
    }
    guard let low = percentile(0.10), let high = percentile(0.95) else { return nil }
    return high - low
  }

  /// The bins that are not quieter than the mean energy of all by more than a number of LU, in ascending order.
  private func bins(aboveMeanBy distance: Double) -> [Bin] {
    var total = Bin()
    for bin in bins {
      total.count += bin.count
      total.energy += bin.energy
    }
    guard let mean = LoudnessScale.loudness(ofEnergy: total.meanEnergy) else { return [] }
    let gate = LoudnessScale.energy(ofLoudness: mean + distance)
    return bins.filter { $0.count > 0 && $0.meanEnergy > gate }
  }
}
