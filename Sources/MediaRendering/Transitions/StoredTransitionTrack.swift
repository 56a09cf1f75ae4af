internal import AudioAnalysis
internal import LibraryTracks
package import MediaModel
package import MediaStore

extension TransitionPlanner.Track {
  /// With what a library has stored of a recording; nothing is decoded.
  ///
  /// - Parameters:
  ///   - part: Its frames, if only these are played. Their key and their beats are not known.
  ///   - length: In seconds, as it is played.
  ///   - speed: At which it is played. Stored places hold for 1 only, so at others nothing is known of it.
  ///   - genres: Of its file.
  package init(
    ofRecording id: Int64, part: Range<Int64>? = nil, length: Double, speed: Double = 1, genres: [String],
    from store: MediaStore
  ) throws {
    self.init(length: length, recordingID: id)
    self.genres = genres
    guard speed == 1 else { return }
    if let product = try store.products.product(.waveformEnergy, ofRecording: id) {
      let energy = try WaveformEnergy(blob: product.bytes)
      let frameCount = Int((length * Double(energy.sampleRateInHz)).rounded())
      let first = Int(part?.lowerBound ?? 0)
      levels = LevelProfile(energy, frames: first..<first + frameCount)
    }
    guard part == nil else { return }
    if let product = try store.products.product(.chroma, ofRecording: id) {
      key = try ChromaSummary(blob: product.bytes).key
    }
    if let product = try store.products.product(.rhythm, ofRecording: id) {
      pulse = TransitionPlanner.Pulse(try RhythmSummary(blob: product.bytes))
    }
  }
}

extension TransitionPlanner.Pulse {
  /// Onsets are blurred over so many columns.
  private static let reachInColumns = 2

  /// nil without a tempo that is clear enough for transitions: finding beats costs more than everything else.
  init?(_ rhythm: RhythmSummary) {
    guard let tempo = rhythm.tempo(), TransitionPlanner.trusts(tempo) else { return nil }
    let beats = BeatTracker(rhythm).beats(atBeatsPerMinute: tempo.beatsPerMinute)
    let low = rhythm.lowOnsets
    let strengths = beats.map { beat in
      let column = Int((beat * rhythm.columnsPerSecond).rounded())
      let near = (column - Self.reachInColumns..<column + Self.reachInColumns + 1).clamped(to: low.indices)
      return Double(low[near].max() ?? 0)
    }
    self.init(tempo: tempo, beats: beats, lowOnsets: strengths)
  }
}
