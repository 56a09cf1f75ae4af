/// Decides how one track leads to the next, from what a library has stored of both.
package struct TransitionPlanner: Sendable {
  /// A track, and what is known of it.
  package struct Track: Hashable, Sendable {
    /// In seconds.
    package var length: Double
    package var recordingID: Int64
    /// nil if nothing is stored, or if it is silent.
    package var levels: LevelProfile?
    package var pulse: Pulse?
    package var key: KeyEstimate?
    /// As in its tags.
    package var genres: [String] = []

    package init(length: Double, recordingID: Int64) {
      self.length = length
      self.recordingID = recordingID
    }
  }

  /// The beats of a track that has a steady tempo.
  package struct Pulse: Hashable, Sendable {
    package var tempo: Tempo
    /// In seconds, ascending.
    package var beats: [Double]
    /// How strong low onsets are at each beat.
    package var lowOnsets: [Double]

    package init(tempo: Tempo, beats: [Double], lowOnsets: [Double]) {
      self.tempo = tempo
      self.beats = beats
      self.lowOnsets = lowOnsets
    }
  }

  /// How two tracks stand to each other.
  package enum Neighbours: Sendable {
    case strangers
    /// One edition of an album, but not in its order.
    case sameEdition
    /// The second is the next one of the album.
    case album
    /// Parts of one file, where the one ends and the other begins.
    case parts
  }

  package var style: TransitionStyle
  /// Tracks of these genres, folded, are never faded.
  package var unfadedGenres: [String]

  /// Music whose silences belong to it, and what is not music.
  package static let usualUnfadedGenres = ["classical", "live", "mix", "audiobook", "podcast", "speech"]

  package init(style: TransitionStyle, unfadedGenres: [String] = usualUnfadedGenres) {
    self.style = style
    self.unfadedGenres = unfadedGenres
  }

  // Seconds, unless a name says something else.
  private static let shortest = 30.0
  private static let abruptEnd = 0.02
  private static let longestSilence = 0.5
  private static let longestTail = 12.0
  private static let rampOfColdStart = 0.5
  private static let cold = 1.0
  private static let shortestCross = 2.0
  private static let longestCross = 12.0
  private static let leastIntroOfCross = 4.0

  private static let leastConfidence = 0.6
  private static let leastStability = 0.8

  /// Whether a tempo is clear and steady enough to put beat on beat.
  package static func trusts(_ tempo: Tempo) -> Bool {
    tempo.confidence >= leastConfidence && tempo.stability >= leastStability
  }

  /// - Parameter neighbours: How the second stands to the first.
  package func plan(_ first: Track, _ second: Track, _ neighbours: Neighbours) -> Transition {
    func joined(_ reason: Transition.Reason) -> Transition { Transition(.join, reason, end: first.length, start: 0) }
    switch neighbours {
    case .album: return joined(.albumContinues)
    case .parts: return joined(.partsTouch)
    case .strangers, .sameEdition: break
    }
    guard style != .gapless else { return joined(.gapless) }
    if first.recordingID == second.recordingID { return joined(.sameRecording) }
    guard let out = first.levels, let into = second.levels else {
      return Transition(.cut, .levelsUnknown, end: first.length, start: 0)
    }
    if style == .silence { return butt(first, out, into, .silenceTrimmed) }
    if min(first.length, second.length) < Self.shortest { return joined(.short) }
    if isUnfaded(first) || isUnfaded(second) { return joined(.genre) }
    if neighbours == .sameEdition, first.length - out.audibleEnd < Self.abruptEnd { return joined(.endsAbruptly) }
    if let beat = BeatTransition.plan(first, second) { return beat }
    if let start = out.fadeStart {
      let start = max(start, out.audibleEnd - Self.longestTail)
      return Transition(
        .tail, .fadesByItself, end: out.audibleEnd, start: into.audibleStart, overlap: out.audibleEnd - start,
        fadeIn: into.intro < Self.cold ? min(Self.rampOfColdStart, out.audibleEnd - start) : 0)
    }
    if out.outro < Self.cold, into.intro < Self.cold { return butt(first, out, into, .abruptOnBothSides) }
    let wanted = min(out.outro, max(into.intro, Self.leastIntroOfCross))
    let length = min(
      min(max(wanted, Self.shortestCross), Self.longestCross), min(first.length, second.length) / 4)
    return Transition(
      .cross, out.outro >= Self.shortestCross ? .endingIsQuiet : .endingIsLoud, end: out.audibleEnd,
      start: into.audibleStart, overlap: length, fadesOut: true, fadeIn: length)
  }

  /// One after the other, with at most half a second of silence between them.
  private func butt(
    _ first: Track, _ out: LevelProfile, _ into: LevelProfile, _ reason: Transition.Reason
  ) -> Transition {
    let kept = min(first.length - out.audibleEnd, Self.longestSilence)
    return Transition(
      .butt, reason, end: out.audibleEnd + kept,
      start: into.audibleStart - min(into.audibleStart, Self.longestSilence - kept))
  }

  private func isUnfaded(_ track: Track) -> Bool {
    track.genres.contains { genre in
      let words = genre.lowercased().split { !$0.isLetter }.map(String.init)
      return unfadedGenres.contains(where: words.contains)
    }
  }
}
