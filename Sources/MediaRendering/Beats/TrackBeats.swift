internal import AudioAnalysis
internal import LibraryTracks
package import MediaModel
package import MediaStore

/// The beats of a track, from the onsets that a scan has stored: nothing is decoded.
///
/// Which of them begin a bar is not said: it was not found reliably.
package struct TrackBeats: Sendable {
  /// Simple ratios in which two people may count the same rhythm.
  private static let ratios = [1, 2, 1.0 / 2, 3, 1.0 / 3, 3.0 / 2, 2.0 / 3]

  /// Of most beats: a recording may leave it.
  package let beatsPerMinute: Double
  /// Ascending, from the start of the recording.
  package let seconds: [Double]

  /// nil if the recording has no tempo.
  ///
  /// - Parameters:
  ///   - shownTempo: That of the track, which may be that of a tag; nil for none.
  ///   - range: Where the tempo is to be; nil for where it is.
  package init?(
    ofRecording id: Int64, shownTempo: Double?, in range: TempoRange? = nil, from store: MediaStore
  ) throws {
    guard let product = try store.products.product(.rhythm, ofRecording: id) else { return nil }
    let rhythm = try RhythmSummary(blob: product.bytes)
    guard let tempo = Self.tempo(shownTempo, measured: rhythm.tempo(in: range)?.beatsPerMinute) else { return nil }
    beatsPerMinute = range?.moved(tempo) ?? tempo
    seconds = BeatTracker(rhythm).beats(atBeatsPerMinute: beatsPerMinute)
  }

  /// A tag says how a rhythm is counted, and the measurement how fast exactly; if they contradict each other, the tag counts.
  static func tempo(_ shown: Double?, measured: Double?) -> Double? {
    guard let shown, let measured else { return shown ?? measured }
    return ratios.map { measured * $0 }.first { abs($0 / shown - 1) < 0.04 } ?? shown
  }
}
