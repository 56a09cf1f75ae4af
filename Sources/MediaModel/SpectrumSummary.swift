/// The spectrum of a whole recording: mean and maximum over time.
///
/// Levels are in dB relative to a full-scale sine (a sine of amplitude 1 in a band reads 0 dB there), unweighted. A band's
/// level is the sum of the powers of its bins, the bins that straddle an edge shared in proportion.
package struct SpectrumSummary: Hashable, Sendable {
  /// Mean of the power and maximum over time, in dB.
  package struct Levels: Hashable, Sendable {
    package var meanInDB: [Float]
    package var maximumInDB: [Float]

    package init(meanInDB: [Float], maximumInDB: [Float]) {
      self.meanInDB = meanInDB
      self.maximumInDB = maximumInDB
    }
  }

  package var sampleRateInHz: Int
  /// The mono mix in the standard bands; bands above half the sample rate are at the floor, -120 dB.
  package var mix: Levels
  /// The first and second channel in the standard bands; empty for mono.
  package var channels: [Levels]
  /// The mono mix in linear bins from 0 Hz to half the sample rate, in dB to 0.01 dB.
  package var bins: Levels

  package init(sampleRateInHz: Int, mix: Levels, channels: [Levels], bins: Levels) {
    self.sampleRateInHz = sampleRateInHz
    self.mix = mix
    self.channels = channels
    self.bins = bins
  }

  /// Distance of two linear bins in Hz.
  package var binWidthInHz: Double { Double(sampleRateInHz) / 2 / Double(max(bins.meanInDB.count - 1, 1)) }
}
