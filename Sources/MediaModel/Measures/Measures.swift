/// Single numbers about a recording; nil if it is too short or silent for the measure.
///
/// Levels are relative to full scale: a sample of 1.0 is 0 dBFS; RMS of a full-scale square wave is 0 dBFS.
/// "Mix" is the mean of all channels; without that word a number covers the samples of all channels.
package struct Measures: Hashable, Sendable {
  /// Largest absolute sample in dBFS.
  package var samplePeakInDBFS: Double?
  /// Root mean square in dBFS.
  package var rmsInDBFS: Double?
  /// Sample peak over RMS in dB.
  package var crestInDB: Double?
  /// Mean of the samples, the channel with the largest absolute mean, in units of full scale.
  package var dcOffset: Double?
  /// Samples in runs of three or more at full scale (|x| >= 32767/32768) in one channel.
  package var clippedSampleCount: Int?
  /// Seconds from the start to the first frame with a sample above -60 dBFS; the whole length when there is none.
  package var leadingSilenceInSeconds: Double?
  /// Seconds from the last frame with a sample above -60 dBFS to the end; the whole length when there is none.
  package var trailingSilenceInSeconds: Double?
  /// Samples that were NaN or infinite and were replaced by 0.
  package var nonFiniteSampleCount: Int?
  /// Integrated loudness after ITU-R BS.1770-4 in LUFS; nil below 400 ms or if every block is gated.
  package var integratedLoudnessInLUFS: Double?
  /// Loudness range after EBU Tech 3342 in LU; nil below 3 s.
  package var loudnessRangeInLU: Double?
  /// Maximum momentary loudness (400 ms) in LUFS, ungated.
  package var momentaryMaximumInLUFS: Double?
  /// Maximum short-term loudness (3 s) in LUFS, ungated.
  package var shortTermMaximumInLUFS: Double?
  /// True peak, between and at the samples, in dBTP.
  package var truePeakInDBTP: Double?
  /// Centre of gravity of the mix's mean power spectrum in Hz.
  package var spectralCentroidInHz: Double?
  /// Frequency in Hz below which 85 % of the power of the mix's mean spectrum is.
  package var rolloff85InHz: Double?
  /// The same for 95 %.
  package var rolloff95InHz: Double?
  /// Geometric over arithmetic mean of the mix's mean power spectrum: near 0 for a tone, 1 for white noise.
  package var spectralFlatness: Double?
  /// Frequency in Hz above which the recording is empty, as after a lossy encoder or a lower sample rate; nil if the
  /// spectrum reaches half the sample rate or fades out.
  package var cutoffInHz: Double?
  /// The confidence in ``cutoffInHz``, `0...1`.
  package var cutoffConfidence: Double?

  /// ReplayGain 2.0 of the track in dB: the gain that brings it to -18 LUFS.
  package var replayGainInDB: Double? { integratedLoudnessInLUFS.map(LoudnessScale.replayGain) }

  package init(
    samplePeakInDBFS: Double? = nil,
    rmsInDBFS: Double? = nil,
    crestInDB: Double? = nil,
    dcOffset: Double? = nil,
    clippedSampleCount: Int? = nil,
    leadingSilenceInSeconds: Double? = nil,
    trailingSilenceInSeconds: Double? = nil,
    nonFiniteSampleCount: Int? = nil,
    integratedLoudnessInLUFS: Double? = nil,
    loudnessRangeInLU: Double? = nil,
    momentaryMaximumInLUFS: Double? = nil,
    shortTermMaximumInLUFS: Double? = nil,
    truePeakInDBTP: Double? = nil,
    spectralCentroidInHz: Double? = nil,
    rolloff85InHz: Double? = nil,
    rolloff95InHz: Double? = nil,
    spectralFlatness: Double? = nil,
    cutoffInHz: Double? = nil,
    cutoffConfidence: Double? = nil
  ) {
    self.samplePeakInDBFS = samplePeakInDBFS
    self.rmsInDBFS = rmsInDBFS
    self.crestInDB = crestInDB
    self.dcOffset = dcOffset
    self.clippedSampleCount = clippedSampleCount
    self.leadingSilenceInSeconds = leadingSilenceInSeconds
    self.trailingSilenceInSeconds = trailingSilenceInSeconds
    self.nonFiniteSampleCount = nonFiniteSampleCount
    self.integratedLoudnessInLUFS = integratedLoudnessInLUFS
    self.loudnessRangeInLU = loudnessRangeInLU
    self.momentaryMaximumInLUFS = momentaryMaximumInLUFS
    self.shortTermMaximumInLUFS = shortTermMaximumInLUFS
    self.truePeakInDBTP = truePeakInDBTP
    self.spectralCentroidInHz = spectralCentroidInHz
    self.rolloff85InHz = rolloff85InHz
    self.rolloff95InHz = rolloff95InHz
    self.spectralFlatness = spectralFlatness
    self.cutoffInHz = cutoffInHz
    self.cutoffConfidence = cutoffConfidence
  }
}

extension Measures {
  /// The property that holds a number.
  package enum Slot: Sendable {
    case real(any WritableKeyPath<Measures, Double?> & Sendable)
    case count(any WritableKeyPath<Measures, Int?> & Sendable)
  }

  /// All numbers with the names of their columns: the list that the library and the worker protocol use.
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
