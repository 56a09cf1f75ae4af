internal import Glibc
internal import MediaModel

/// One band of an equalizer at a sample rate, as values between which one can interpolate.
struct EqualizerSection: Hashable {
  var shape: FilterShape
  var channels: BandChannels
  /// ln ω and ln α, so that halfway is the geometric mean.
  var logOmega: Double
  var logAlpha: Double
  /// In decibels.
  var gain: Double
  /// How much of the filter is heard, `0...1`; a band that is added or removed is mixed in or out.
  var mix = 1.0

  /// The audible bands of an equalizer.
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

  /// The section between this one (`part` = 0) and another one of the same shape (`part` = 1).
  func moved(to target: EqualizerSection, by part: Double) -> EqualizerSection {
    var result = target
    result.logOmega = logOmega + (target.logOmega - logOmega) * part
    result.logAlpha = logAlpha + (target.logAlpha - logAlpha) * part
    result.gain = gain + (target.gain - gain) * part
    result.mix = mix + (target.mix - mix) * part
    return result
  }

  /// Whether all sections between the two are of the same kind.
  func isSibling(of other: EqualizerSection) -> Bool { shape == other.shape && channels == other.channels }
}
