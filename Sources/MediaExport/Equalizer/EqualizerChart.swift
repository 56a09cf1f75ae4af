internal import Glibc
package import MediaModel

/// What an equalizer does to a recording, as curves over the frequency: what is drawn.
package struct EqualizerChart: Sendable {
  package static let frequencies = 20.0...20_000.0
  private static let pointsPerOctave = 48

  /// In hertz, logarithmic from the first to the last of `frequencies`.
  let points: [Double]
  /// A curve for each band that is heard, in decibels at the points, in the order of the bands.
  let bands: [[Double]]
  /// The sum with the global gain; two, left and right, if they differ.
  let sums: [[Double]]
  /// The levels that the chart covers, in steps of 6 dB.
  let range: DecibelRange
  let spectrum: EqualizedSpectrum?

  /// - Parameters:
  ///   - sampleRate: In hertz; beyond half of it there is nothing.
  ///   - summary: The spectrum of a recording to be shown before and after.
  package init(equalizer: Equalizer, sampleRate: Double = 48_000, over summary: SpectrumSummary? = nil) {
    let lowest = Self.frequencies.lowerBound
    let top = max(2 * lowest, min(Self.frequencies.upperBound, sampleRate * BiquadCoefficients.highestFrequency))
    let octaves = log2(top / lowest)
    let count = max(1, Int(octaves * Double(Self.pointsPerOctave)))
    points = (0...count).map { lowest * exp2(octaves * Double($0) / Double(count)) }
    let points = points
    bands = [0, 1].flatMap { channel -> [[Double]] in
      // Right has those of all channels too, which left has shown already.
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

  /// All of the curves, but of the slopes of passes only the first 24 dB.
  private static func range(_ equalizer: Equalizer, curves: [[Double]]) -> DecibelRange {
    let lowestGain = equalizer.bands.filter(\.isAudible).map(\.gain).min() ?? 0
    let limit = min(-24, lowestGain + equalizer.gain)
    let highest = curves.joined().max() ?? 0
    let lowest = max(limit, curves.joined().min() ?? 0)
    return DecibelRange(
      bottom: min(-6, ((lowest - 0.5) / 6).rounded(.down) * 6), top: max(6, ((highest + 0.5) / 6).rounded(.up) * 6))
  }
}
