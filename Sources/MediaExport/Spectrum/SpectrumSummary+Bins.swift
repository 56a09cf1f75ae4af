internal import Glibc
internal import MediaModel

extension SpectrumSummary {
  /// Power of noise in a bin, relative to what a sine of the same power shows in its own: what the window of the bins
  /// spreads a sine over.
  static let noiseBandwidthInBins = 1.16867

  /// Levels of other bands than the stored ones, from the linear bins; a bin that straddles an edge is shared in
  /// proportion.
  ///
  /// The maximum of a band is the sum of its bins' maxima, which need not have come at one time: at most, not exactly.
  func binsAddedUp(in bands: SpectrumBands) -> Levels {
    Levels(meanInDB: added(bins.meanInDB, in: bands), maximumInDB: added(bins.maximumInDB, in: bands))
  }

  private func added(_ levels: [Float], in bands: SpectrumBands) -> [Float] {
    // The floor stands for everything below it: a thousand bins of silence are silence, too.
    let powers = levels.map { $0.isFinite && $0 > DecibelStep.floorInDB ? pow(10, Double($0) / 10) : 0 }
    let width = binWidthInHz
    return (0..<bands.count).map { band in
      // Bin k reaches from k - 1/2 to k + 1/2.
      let low = bands.edgesInHz[band] / width + 0.5
      let high = min(bands.edgesInHz[band + 1] / width + 0.5, Double(powers.count))
      guard low < high else { return DecibelStep.floorInDB }
      var power = 0.0
      for bin in Int(low)..<Int(high.rounded(.up)) {
        power += powers[bin] * (min(high, Double(bin + 1)) - max(low, Double(bin)))
      }
      let level = 10 * log10(power / Self.noiseBandwidthInBins)
      return max(Float(level), DecibelStep.floorInDB)
    }
  }
}
