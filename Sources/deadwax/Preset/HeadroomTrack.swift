internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// What `--gain auto` takes into account of a track.
struct HeadroomTrack {
  let sampleRate: Double
  /// In dBTP.
  let truePeak: Double

  /// - Throws: `ValidationError` for a track whose true peak is not known.
  init?(_ words: String?, in store: MediaStore) throws {
    guard let words else { return nil }
    let track = try store.resolveTrack(BytePath(argument: words))
    guard let peak = try store.measures(ofRecording: track.recordingID)?.truePeakInDBTP else {
      throw ValidationError(
        "the true peak of track \(track.recordingID) is not known; `reanalyze --missing` measures it")
    }
    truePeak = peak
    sampleRate = track.format.sampleRateInHz.map(Double.init) ?? 48_000
  }
}
