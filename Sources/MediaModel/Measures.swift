/// Single numbers about the sound of a recording; nil where the audio is too short or silent to have one.
///
/// Levels are relative to full scale: a sample of 1.0 is 0 dBFS; RMS of a full-scale square wave is 0 dBFS.
/// "Mix" is the mean of all channels; without that word a number covers the samples of all channels.
package struct Measures: Hashable, Sendable {
  /// Largest absolute sample in dBFS.
  package var samplePeakInDBFS: Double?
  /// Root of the mean square in dBFS.
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
  /// Samples that were NaN or infinite and were taken as 0.
  package var nonFiniteSampleCount: Int?

  package init(
    samplePeakInDBFS: Double? = nil,
    rmsInDBFS: Double? = nil,
    crestInDB: Double? = nil,
    dcOffset: Double? = nil,
    clippedSampleCount: Int? = nil,
    leadingSilenceInSeconds: Double? = nil,
    trailingSilenceInSeconds: Double? = nil,
    nonFiniteSampleCount: Int? = nil
  ) {
    self.samplePeakInDBFS = samplePeakInDBFS
    self.rmsInDBFS = rmsInDBFS
    self.crestInDB = crestInDB
    self.dcOffset = dcOffset
    self.clippedSampleCount = clippedSampleCount
    self.leadingSilenceInSeconds = leadingSilenceInSeconds
    self.trailingSilenceInSeconds = trailingSilenceInSeconds
    self.nonFiniteSampleCount = nonFiniteSampleCount
  }
}
