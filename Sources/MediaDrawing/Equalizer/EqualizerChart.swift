internal import Glibc
package import MediaModel

/// The curves of an equalizer over frequency, ready to be drawn.
package struct EqualizerChart: Sendable {
  package static let frequencies = 20.0...20_000.0
  private static let pointsPerOctave = 48

  /// In hertz, logarithmic from the first to the last of `frequencies`.
  let points: [Double]
  /// A curve for each audible band, in decibels at the points, in the order of the bands.
  let bands: [[Double]]
  /// The sum with the global gain; two, left and right, if they differ.
  let sums: [[Double]]
  /// The levels that the chart covers, in steps of 6 dB.
  let range: DecibelRange
  let spectrum: EqualizedSpectrum?

  /// - Parameters:
  ///   - sampleRate: In hertz; curves end below half of it.
  ///   - summary: The spectrum of a recording, shown before and after.
  package init(equalizer: Equalizer, sampleRate: Double = 48_000, over summary: SpectrumSummary? = nil) {
    let lowest = Self.frequencies.lowerBound
    let top = max(2 * lowest, min(Self.frequencies.upperBound, sampleRate * BiquadCoefficients.highestFrequency))
    let octaves = log2(top / lowest)
    let count = max(1, Int(octaves * Double(Self.pointsPerOctave)))
    points = (0...count).map { lowest * exp2(octaves * Double($0) / Double(count)) }
    let points = points
    bands = [0, 1].flatMap { channel -> [[Double]] in
      // The bands of all channels are in both; the left channel has drawn them already.
      let heard = equalizer.bands.filter { $0.isAudible && $0.channels.contains(channel) }
      return zip(heard, equalizer.filters(sampleRate: sampleRate, channel: channel))
        .filter { channel == 0 || $0.0.channels == .right }
        .map { _, filter in points.map { filter.decibels(at: $0, sampleRate: sampleRate) } }
    }
    let both = [0, 1].map { equalizer.response(at: points, sampleRate: sampleRate, channel: $0) }
    sums = both[0] == both[1] ? [both[0]] : both
    range = Self.range(equalizer, curves: bands + sums)
    spectrum = summary.map { EqualizedSpectrum($0, equalizer: equalizer) }
  }

  /// Covers the curves, but only the first 24 dB of the slopes of low and high passes.
  private static func range(_ equalizer: Equalizer, curves: [[Double]]) -> DecibelRange {
    let lowestGain = equalizer.bands.filter(\.isAudible).map(\.gain).min() ?? 0
    let limit = min(-24, lowestGain + equalizer.gain)
    let highest = curves.joined().max() ?? 0
    let lowest = max(limit, curves.joined().min() ?? 0)
    return DecibelRange(
      bottom: min(-6, ((lowest - 0.5) / 6).rounded(.down) * 6), top: max(6, ((highest + 0.5) / 6).rounded(.up) * 6))
  }
}

extension EqualizerChart {
  /// Multiples of 3, 6, 12 or 24 dB that are at least `minimumDistance` apart on `length` places; 0 is one of them.
  func marks(length: Int, minimumDistance: Double) -> [(level: Double, fraction: Double)] {
    let perDecibel = Double(length) / (range.top - range.bottom)
    guard let step = [3.0, 6, 12, 24, 48].first(where: { $0 * perDecibel >= minimumDistance }) else { return [] }
    let first = Int((range.bottom / step).rounded(.up))
    let last = Int((range.top / step).rounded(.down))
    guard first <= last, last - first <= 200 else { return [] }
    return (first...last).map { (Double($0) * step, range.fraction(of: Double($0) * step)) }
  }
}

/// The mean spectrum of a recording in sixths of octaves, before and after an equalizer.
package struct EqualizedSpectrum: Hashable, Sendable {
  private static let bandsPerOctave = 6.0

  struct Band: Hashable {
    let lowInHz: Double
    let highInHz: Double
    /// In dB relative to a full-scale sine; if a band is narrower than the stored bins, it gets a share of theirs.
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
      // For the mix of two channels: their mean gain in power.
      let gain = 10 * log10(gains.reduce(0) { $0 + pow(10, $1 / 10) } / 2)
      return Band(
        lowInHz: places.edgesInHz[band], highInHz: places.edgesInHz[band + 1], before: before, after: before + gain)
    }
  }

  /// The highest level before or after, in dB relative to a full-scale sine.
  package var loudest: Double { bands.map { max($0.before, $0.after) }.max() ?? 0 }
}
