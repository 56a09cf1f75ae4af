internal import Glibc
import MediaModel

/// What one band of an equalizer is at a rate: values that can be moved from one setting to another.
struct EqualizerSection: Hashable {
  var shape: FilterShape
  var channels: BandChannels
  /// ln ω and ln α, so that half the way is the geometric mean.
  var logOmega: Double
  var logAlpha: Double
  /// In decibels.
  var gain: Double
  /// How much of the filter is heard; a band that comes or goes is mixed in or out.
  var mix = 1.0

  /// The bands that are heard.
  static func sections(of equalizer: Equalizer, sampleRate: Double) -> [EqualizerSection] {
    zip(equalizer.bands, equalizer.filterGains(sampleRate: sampleRate)).compactMap { band, gain in
      guard band.isAudible else { return nil }
      let (omega, alpha) = BiquadCoefficients.angles(of: band, sampleRate: sampleRate)
      return EqualizerSection(
        shape: band.shape, channels: band.channels, logOmega: log(omega), logAlpha: log(alpha), gain: gain)
    }
  }

  var coefficients: BiquadCoefficients {
    BiquadCoefficients(shape, alpha: exp(logAlpha), cosine: cos(exp(logOmega)), amplitude: pow(10, gain / 40))
  }

  /// The section a part of the way to another one of the same shape.
  func moved(to target: EqualizerSection, by part: Double) -> EqualizerSection {
    var result = target
    result.logOmega = logOmega + (target.logOmega - logOmega) * part
    result.logAlpha = logAlpha + (target.logAlpha - logAlpha) * part
    result.gain = gain + (target.gain - gain) * part
    result.mix = mix + (target.mix - mix) * part
    return result
  }

  /// Whether one can become the other without being something else in between.
  func isSibling(of other: EqualizerSection) -> Bool { shape == other.shape && channels == other.channels }
}
