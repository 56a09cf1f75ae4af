internal import Glibc
package import MediaModel

/// The mean spectrum of a recording in sixths of octaves, before and after an equalizer.
package struct EqualizedSpectrum: Hashable, Sendable {
  private static let bandsPerOctave = 6.0

  struct Band: Hashable {
    let lowInHz: Double
    let highInHz: Double
    /// In dB relative to a full-scale sine; below the grid of the stored bins it is shared out in proportion.
    let before: Double
    let after: Double
  }

  let bands: [Band]

  package init(_ summary: SpectrumSummary, equalizer: Equalizer) {
    let rate = Double(summary.sampleRateInHz)
    let limit = min(EqualizerChart.frequencies.upperBound, rate / 2)
    let lowest = EqualizerChart.frequencies.lowerBound
    let count = limit > lowest ? Int(log2(limit / lowest) * Self.bandsPerOctave) : 0
    guard count > 0, !summary.bins.meanInDB.isEmpty else {
      bands = []
      return
    }
    let places = SpectrumBands(count: count, fromHz: lowest, toHz: lowest * exp2(Double(count) / Self.bandsPerOctave))
    let levels = summary.binsAddedUp(in: places).meanInDB
    bands = levels.indices.map { band in
      let (before, center) = (Double(levels[band]), places.center(of: band))
      let gains = [0, 1].map { equalizer.response(at: [center], sampleRate: rate, channel: $0)[0] }
      // Of the mix of two channels: the mean of what they let through.
      let gain = 10 * log10(gains.reduce(0) { $0 + pow(10, $1 / 10) } / 2)
      return Band(
        lowInHz: places.edgesInHz[band], highInHz: places.edgesInHz[band + 1], before: before, after: before + gain)
    }
  }

  /// The highest level of both, in dB relative to a full-scale sine.
  package var loudest: Double { bands.map { max($0.before, $0.after) }.max() ?? 0 }
}
