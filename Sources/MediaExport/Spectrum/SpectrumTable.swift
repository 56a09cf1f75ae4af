package import MediaModel

/// The spectrum of a whole recording band by band, weighted as asked: what is shown, drawn and exported.
package struct SpectrumTable: Hashable, Sendable {
  package struct Band: Hashable, Sendable {
    package var lowInHz: Double
    package var highInHz: Double
    /// nil where the band is above half the sample rate, or no level is known.
    package var meanInDB: Double?
    package var maximumInDB: Double?

    package var centerInHz: Double { (lowInHz * highInHz).squareRoot() }
  }

  package let sampleRateInHz: Int
  package let weighting: FrequencyWeighting
  /// From the lowest to the highest.
  package let bands: [Band]

  package init(_ summary: SpectrumSummary, weighting: FrequencyWeighting = .none) {
    sampleRateInHz = summary.sampleRateInHz
    self.weighting = weighting
    let mean = summary.mix.meanInDB
    let maximum = summary.mix.maximumInDB
    guard let edges = SpectrumBands.stored(count: mean.count)?.edgesInHz else {
      bands = []
      return
    }
    let limit = Double(summary.sampleRateInHz) / 2
    bands = mean.indices.map { index in
      var band = Band(lowInHz: edges[index], highInHz: edges[index + 1])
      guard band.lowInHz < limit else { return band }
      let gain = weighting.gainInDB(atHz: band.centerInHz)
      func weighted(_ level: Float) -> Double? { level.isFinite ? Double(level) + gain : nil }
      band.meanInDB = weighted(mean[index])
      band.maximumInDB = maximum.indices.contains(index) ? weighted(maximum[index]) : nil
      return band
    }
  }
}
