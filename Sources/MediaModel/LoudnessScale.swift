internal import Glibc

/// Energy of K-weighted sound as loudness.
///
/// Energy is the mean square of each channel, weighted and summed over the channels. Source: ITU-R BS.1770-4, annex 1.
package enum LoudnessScale {
  /// Where the absolute gate stands: what is not louder counts as silence.
  package static let absoluteGateInLUFS = -70.0

  /// nil for no energy.
  package static func loudness(ofEnergy energy: Double) -> Double? {
    energy > 0 ? -0.691 + 10 * log10(energy) : nil
  }

  package static func energy(ofLoudness loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

  /// ReplayGain 2.0 in dB: what brings a loudness to -18 LUFS.
  package static func replayGain(ofLoudness loudness: Double) -> Double { -18 - loudness }
}
