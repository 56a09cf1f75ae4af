/// The spectrum of a recording as a table of bands, weighted as requested, for display, drawing and export.
package struct SpectrumTable: Hashable, Sendable {
  package struct Band: Hashable, Sendable {
    package var lowInHz: Double
    package var highInHz: Double
    /// nil if the band is above half the sample rate, or the level is unknown.
    package var meanInDB: Double?
    package var maximumInDB: Double?

    package var centerInHz: Double { (lowInHz * highInHz).squareRoot() }
  }

  package let sampleRateInHz: Int
  package let weighting: FrequencyWeighting
  /// From the lowest to the highest.
  package let bands: [Band]
  /// The spacing of the bins from which the bands were computed; nil for stored bands.
  package let resolutionInHz: Double?

  /// The mix in the stored bands.
  package init(_ summary: SpectrumSummary, weighting: FrequencyWeighting = .none) {
    self.init(
      summary.mix, edgesInHz: SpectrumBands.stored(count: summary.mix.meanInDB.count)?.edgesInHz ?? [],
      sampleRateInHz: summary.sampleRateInHz, weighting: weighting)
  }

  /// - Parameter edgesInHz: One more than there are levels; further levels are left out.
  package init(
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

  /// A window spreads a sine over so many bins.
  private static let binsPerSine = 4.0

  /// How many bands are too narrow for the bins: they show what is beside them, and lack a part of what is in them.
  package var unresolvedBandCount: Int {
    guard let resolutionInHz else { return 0 }
    return bands.count { $0.highInHz - $0.lowInHz < Self.binsPerSine * resolutionInHz }
  }
}
