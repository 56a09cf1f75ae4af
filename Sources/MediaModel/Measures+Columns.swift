extension Measures {
  /// Where one of the numbers is kept.
  package enum Slot: Sendable {
    case real(any WritableKeyPath<Measures, Double?> & Sendable)
    case count(any WritableKeyPath<Measures, Int?> & Sendable)
  }

  /// Every number under the name of its column: the one list that the library and the workers' protocol go by.
  package static let columns: [(name: String, slot: Slot)] = [
    ("sample_peak_dbfs", .real(\.samplePeakInDBFS)),
    ("rms_dbfs", .real(\.rmsInDBFS)),
    ("crest_db", .real(\.crestInDB)),
    ("dc_offset", .real(\.dcOffset)),
    ("clipped_samples", .count(\.clippedSampleCount)),
    ("silence_start_s", .real(\.leadingSilenceInSeconds)),
    ("silence_end_s", .real(\.trailingSilenceInSeconds)),
    ("nonfinite_samples", .count(\.nonFiniteSampleCount)),
    ("loudness_lufs", .real(\.integratedLoudnessInLUFS)),
    ("loudness_range_lu", .real(\.loudnessRangeInLU)),
    ("momentary_max_lufs", .real(\.momentaryMaximumInLUFS)),
    ("short_term_max_lufs", .real(\.shortTermMaximumInLUFS)),
    ("true_peak_dbtp", .real(\.truePeakInDBTP)),
    ("centroid_hz", .real(\.spectralCentroidInHz)),
    ("rolloff85_hz", .real(\.rolloff85InHz)),
    ("rolloff95_hz", .real(\.rolloff95InHz)),
    ("flatness", .real(\.spectralFlatness)),
    ("cutoff_hz", .real(\.cutoffInHz)),
    ("cutoff_confidence", .real(\.cutoffConfidence)),
  ]
}
