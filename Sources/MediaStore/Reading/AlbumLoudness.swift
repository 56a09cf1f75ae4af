internal import MediaModel

/// How loud an album is as a whole.
package struct AlbumLoudness: Hashable, Sendable {
  /// Recordings of the album that the library has.
  package var trackCount: Int
  /// Those whose blocks are known, and so make up the loudness.
  package var measuredTrackCount: Int
  /// Integrated loudness of all their blocks in LUFS; nil where there are none, or all are gated.
  package var loudnessInLUFS: Double?
  /// The largest of the tracks.
  package var truePeakInDBTP: Double?

  /// ReplayGain 2.0 of the album in dB.
  package var replayGainInDB: Double? { loudnessInLUFS.map(LoudnessScale.replayGain) }
}
