/// How one track leads to the next.
package struct Transition: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// One after the other, each whole.
    case join
    /// The same, because nothing is known that would allow more.
    case cut
    /// One after the other, with the silence between them made short.
    case butt
    /// The next one begins in the ending of one that fades by itself.
    case tail
    /// The one fades out while the next one fades in.
    case cross
    /// The same, beat on beat.
    case beat
  }

  /// What decided.
  package enum Reason: String, CaseIterable, Sendable {
    case gapless
    case albumContinues = "album-continues"
    case partsTouch = "parts-touch"
    case sameRecording = "same-recording"
    case short
    case genre
    case endsAbruptly = "ends-abruptly"
    case levelsUnknown = "levels-unknown"
    case beatsAgree = "beats-agree"
    case fadesByItself = "fades-by-itself"
    case abruptOnBothSides = "abrupt-on-both-sides"
    case silenceTrimmed = "silence-trimmed"
    case endingIsQuiet = "ending-is-quiet"
    case endingIsLoud = "ending-is-loud"
  }

  package var kind: Kind
  package var reason: Reason
  /// Where the first track ends, in seconds from its start.
  package var end: Double
  /// Where the second one begins, in seconds from its start.
  package var start: Double
  /// How long both sound, in seconds.
  package var overlap = 0.0
  /// Whether the first one fades out while both sound.
  package var fadesOut = false
  /// How long the second one fades in, in seconds.
  package var fadeIn = 0.0

  package init(
    _ kind: Kind, _ reason: Reason, end: Double, start: Double, overlap: Double = 0, fadesOut: Bool = false,
    fadeIn: Double = 0
  ) {
    self.kind = kind
    self.reason = reason
    self.end = end
    self.start = start
    self.overlap = overlap
    self.fadesOut = fadesOut
    self.fadeIn = fadeIn
  }
}

/// Which transitions a listener wants.
package enum TransitionStyle: String, CaseIterable, Sendable {
  /// Each track whole, one after the other.
  case gapless
  /// The same with short silences.
  case silence
  /// What fits the two tracks.
  case smart
}
