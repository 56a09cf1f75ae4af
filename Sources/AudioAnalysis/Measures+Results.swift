internal import MediaModel

extension Measures {
  /// Adds what the mean spectrum tells.
  mutating func take(_ bins: BinPowers) {
    let shape = SpectralShape(bins)
    spectralCentroidInHz = shape?.centroidInHz
    rolloff85InHz = shape?.rolloff85InHz
    rolloff95InHz = shape?.rolloff95InHz
    spectralFlatness = shape?.flatness
    let cutoff = shape == nil ? nil : SpectralCutoff(bins)
    cutoffInHz = cutoff?.frequencyInHz
    cutoffConfidence = cutoff?.confidence
  }

  mutating func take(_ loudness: LoudnessAnalyzer.Result) {
    integratedLoudnessInLUFS = loudness.integratedInLUFS
    loudnessRangeInLU = loudness.rangeInLU
    momentaryMaximumInLUFS = loudness.momentaryMaximumInLUFS
    shortTermMaximumInLUFS = loudness.shortTermMaximumInLUFS
  }
}
