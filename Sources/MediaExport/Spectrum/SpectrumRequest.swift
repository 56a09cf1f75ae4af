package import MediaModel

/// The average spectrum as asked for.
package struct SpectrumRequest: Hashable, Sendable {
  /// Where the levels come from.
  package enum Selection: Hashable, Sendable {
    /// The stored bands.
    case bands
    /// The stored linear bins of the mix, added up.
    case bins
    /// Nothing that is stored: a part of the recording, or the channels in other bands.
    case decoded
  }

  /// Most bands that a spectrum may have; more than there are bins show nothing new.
  package static let maximumBandCount = 4096

  package var bands: SpectrumBands
  package var weighting: FrequencyWeighting
  /// Whether the left and the right channel are wanted instead of the mix.
  package var splitsChannels: Bool
  /// Whether the seven-point smoothing of the origin goes over the bands.
  package var isSmoothed: Bool
  /// Whether stored levels will not do: of a part, or for bands that are not added up from bins.
  package var isExact: Bool

  /// - Throws: ``ExportError/spectrum(reason:)`` for bands that cannot be.
  package init(
    bandCount: Int = 80, fromHz low: Double = 100, toHz high: Double = 18_000, weighting: FrequencyWeighting = .none,
    splitsChannels: Bool = false, isSmoothed: Bool = false, isExact: Bool = false
  ) throws(ExportError) {
    guard (1...Self.maximumBandCount).contains(bandCount) else {
      throw .spectrum(reason: "there can be 1 to \(Self.maximumBandCount) bands, not \(bandCount)")
    }
    guard low >= 1, low < high, high <= 1e6 else {
      throw .spectrum(
        reason: "bands reach from 1 Hz or more up to a higher frequency, not from "
          + "\(DecimalText.number(low, places: 3)) to \(DecimalText.number(high, places: 3)) Hz")
    }
    bands = SpectrumBands(count: bandCount, fromHz: low, toHz: high)
    self.weighting = weighting
    self.splitsChannels = splitsChannels
    self.isSmoothed = isSmoothed
    self.isExact = isExact
  }

  package var selection: Selection {
    if isExact || splitsChannels && bands != .standard { return .decoded }
    return bands == .standard ? .bands : .bins
  }

  /// One table of the mix; of the channels two, or one where the recording has one.
  ///
  /// - Parameter summary: as stored, or measured in ``bands`` where the selection is ``Selection/decoded``.
  package func tables(from summary: SpectrumSummary) -> [SpectrumTable] {
    switch selection {
    case .bins:
      return [table(summary, summary.binsAddedUp(in: bands), resolution: summary.binWidthInHz)]
    case .bands, .decoded:
      let levels = splitsChannels && summary.channels.count == 2 ? summary.channels : [summary.mix]
      return levels.map { table(summary, $0, resolution: nil) }
    }
  }

  private func table(
    _ summary: SpectrumSummary, _ levels: SpectrumSummary.Levels, resolution: Double?
  ) -> SpectrumTable {
    SpectrumTable(
      levels, edgesInHz: bands.edgesInHz, sampleRateInHz: summary.sampleRateInHz, weighting: weighting,
      isSmoothed: isSmoothed, resolutionInHz: resolution)
  }
}
