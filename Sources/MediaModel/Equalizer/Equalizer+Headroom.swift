internal import Glibc

extension Equalizer {
  /// The global gain with which nothing exceeds full scale: the summed curve at its highest point, upon a recording whose
  /// true peak is known, or upon a full-scale sine.
  ///
  /// Phases that meet in another way may still add up to a little more.
  ///
  /// - Parameter truePeak: In dBTP.
  /// - Returns: In decibels, at most 0 and at least the least gain there is, rounded down to hundredths.
  package func automaticGain(sampleRate: Double, truePeak: Double = 0) -> Double {
    let highest = peakResponse(sampleRate: sampleRate) - gain
    let room = -(highest + (truePeak.isFinite ? truePeak : 0))
    return max(Self.gains.lowerBound, min(0, (room * 100 + 1e-6).rounded(.down) / 100))
  }
}
