internal import Base
package import MediaModel

/// The average spectrum as asked for.
package struct SpectrumRequest: Hashable, Sendable {
  /// Where the levels come from.
  package enum Selection: Hashable, Sendable {
    /// The stored bands.
    case bands
    /// The stored linear bins of the mix, added up.
    case bins
    /// Nothing that is stored: the recording must be decoded for a part, or for the channels in other bands.
    case decoded
  }

  /// The most bands of a spectrum; more bands than there are bins show nothing new.
  package static let maximumBandCount = 4096

  package var bands: SpectrumBands
  package var weighting: FrequencyWeighting
  /// Whether the left and the right channel are wanted instead of the mix.
  package var splitsChannels: Bool
  /// Whether the bands are smoothed over seven, weighted 1 2 3 5 3 2 1.
  package var isSmoothed: Bool
  /// Whether to decode even if stored levels would do; needed for a part.
  package var isExact: Bool

  /// - Throws: ``RenderingError/spectrum(reason:)`` for bands that are not possible.
  package init(
    bandCount: Int = 80, fromHz low: Double = 100, toHz high: Double = 18_000, weighting: FrequencyWeighting = .none,
    splitsChannels: Bool = false, isSmoothed: Bool = false, isExact: Bool = false
  ) throws(RenderingError) {
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

  /// One table of the mix; for the channels two, or one if the recording has one channel.
  ///
  /// - Parameter summary: As stored, or measured in ``bands`` if the selection is ``Selection/decoded``.
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
