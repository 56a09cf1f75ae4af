internal import Glibc
internal import MediaModel

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

  init(_ summary: SpectrumSummary, equalizer: Equalizer) {
    let rate = Double(summary.sampleRateInHz)
    let limit = min(EqualizerChart.frequencies.upperBound, rate / 2)
    let lowest = EqualizerChart.frequencies.lowerBound
    guard limit > lowest, !summary.bins.meanInDB.isEmpty else {
      bands = []
      return
    }
    let powers = summary.bins.meanInDB.map { pow(10, Double($0) / 10) }
    let edges = (0...Int(log2(limit / lowest) * Self.bandsPerOctave)).map {
      lowest * exp2(Double($0) / Self.bandsPerOctave)
    }
    bands = zip(edges, edges.dropFirst()).map { low, high in
      let power = Self.sum(powers, from: low / summary.binWidthInHz, to: high / summary.binWidthInHz)
      let before = 10 * log10(max(power, 1e-12))
      let center = (low * high).squareRoot()
      let gains = [0, 1].map { equalizer.response(at: [center], sampleRate: rate, channel: $0)[0] }
      // Of the mix of two channels: the mean of what they let through.
      let gain = 10 * log10(gains.reduce(0) { $0 + pow(10, $1 / 10) } / 2)
      return Band(lowInHz: low, highInHz: high, before: before, after: before + gain)
    }
  }

  /// The highest level of both.
  var loudest: Double { bands.map { max($0.before, $0.after) }.max() ?? 0 }

  /// The powers between two places, in bins; a bin reaches half a bin to both sides of its number.
  private static func sum(_ powers: [Double], from low: Double, to high: Double) -> Double {
    let first = max(0, Int((low + 0.5).rounded(.down)))
    let last = min(powers.count - 1, Int((high + 0.5).rounded(.down)))
    guard first <= last else { return 0 }
    return (first...last).reduce(0) { sum, bin in
      let share = min(high, Double(bin) + 0.5) - max(low, Double(bin) - 0.5)
      return sum + powers[bin] * max(0, min(share, 1))
    }
  }
}
