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
  /// Distance of the bins that the bands were added up from; nil for bands that were stored.
  package let resolutionInHz: Double?

  /// The mix in the stored bands.
  package init(_ summary: SpectrumSummary, weighting: FrequencyWeighting = .none) {
    self.init(
      summary.mix, edgesInHz: SpectrumBands.stored(count: summary.mix.meanInDB.count)?.edgesInHz ?? [],
      sampleRateInHz: summary.sampleRateInHz, weighting: weighting)
  }

  /// - Parameter edgesInHz: one more than there are levels; levels beyond are left out.
  init(
    _ levels: SpectrumSummary.Levels, edgesInHz edges: [Double], sampleRateInHz: Int, weighting: FrequencyWeighting,
    isSmoothed: Bool = false, resolutionInHz: Double? = nil
  ) {
    self.sampleRateInHz = sampleRateInHz
    self.weighting = weighting
    self.resolutionInHz = resolutionInHz
    let limit = Double(sampleRateInHz) / 2
    let places = Array(zip(edges, edges.dropFirst()))
    func weighted(_ levels: [Float]) -> [Double?] {
      let known = places.enumerated().map { index, edges -> Double? in
        guard edges.0 < limit, levels.indices.contains(index), levels[index].isFinite else { return nil }
        return Double(levels[index]) + weighting.gainInDB(atHz: (edges.0 * edges.1).squareRoot())
      }
      return isSmoothed ? BandSmoothing.acrossBands(known) : known
    }
    bands = zip(places, zip(weighted(levels.meanInDB), weighted(levels.maximumInDB))).map { edges, levels in
      Band(lowInHz: edges.0, highInHz: edges.1, meanInDB: levels.0, maximumInDB: levels.1)
    }
  }

  /// Bands that are narrower than what was stored, and so hold a share of a bin that is the same everywhere in it.
  package var unresolvedBandCount: Int {
    guard let resolutionInHz else { return 0 }
    return bands.count { $0.highInHz - $0.lowInHz < resolutionInHz }
  }
}
