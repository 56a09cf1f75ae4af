internal import Base
internal import Glibc
package import MediaModel

/// Where each track and each announcement of a radio programme lies, in frames of the programme.
///
/// Tracks of one album that follow each other touch, with nothing said. An announcement stands between two tracks, or over the
/// beginning of a track if that is long and quiet enough; then the track is ducked. Tracks without an announcement
/// between them are cross-faded, or lead into each other as a ``TransitionPlanner`` decided.
package struct RadioPlan: Hashable, Sendable {
  /// What is to be placed.
  package struct Slot: Hashable, Sendable {
    package var frameCount: Int64
    /// Of the announcement before it; 0 for none.
    package var voiceFrameCount: Int64
    /// The quiet beginning.
    package var introFrameCount: Int64
    /// Whether it follows the track before it in an album.
    package var joinsPrevious: Bool
    /// How the track before it leads to it, if nothing is said between them; nil for the cross-fade of the programme.
    package var transition: FrameTransition?

    package init(
      frameCount: Int64, voiceFrameCount: Int64 = 0, introFrameCount: Int64 = 0, joinsPrevious: Bool = false,
      transition: FrameTransition? = nil
    ) {
      self.frameCount = frameCount
      self.voiceFrameCount = voiceFrameCount
      self.introFrameCount = introFrameCount
      self.joinsPrevious = joinsPrevious
      self.transition = transition
    }
  }

  /// A ``Transition`` in frames of the programme.
  package struct FrameTransition: Hashable, Sendable {
    /// Of the end of the track before, which are not heard.
    package var cutFrameCount: Int64
    /// Of the beginning of the track, which are not heard.
    package var skippedFrameCount: Int64
    /// While both sound.
    package var overlapFrameCount: Int64
    package var fadesOut: Bool
    package var fadeInFrameCount: Int64

    /// - Parameter frameCount: Of the track before.
    package init(_ transition: Transition, afterFrames frameCount: Int64, sampleRateInHz: Int) {
      func frames(_ seconds: Double) -> Int64 { Int64((seconds * Double(sampleRateInHz)).rounded()) }
      cutFrameCount = max(0, frameCount - frames(transition.end))
      skippedFrameCount = frames(transition.start)
      overlapFrameCount = frames(transition.overlap)
      fadesOut = transition.fadesOut
      fadeInFrameCount = frames(transition.fadeIn)
    }
  }

  /// A track in its place.
  package struct Entry: Hashable, Sendable {
    /// In the programme.
    package var frames: Range<Int64>
    /// Of its beginning, which are not heard.
    package var skippedFrameCount: Int64 = 0
    package var fadeInFrameCount: Int64 = 0
    package var fadeOutFrameCount: Int64 = 0
    /// Whether fades are those of ``FadeCurve``.
    fileprivate var fadesInSmoothly = false
    fileprivate var fadesOutSmoothly = false
    /// The announcement, in the programme.
    package var voice: Range<Int64>?
    /// Whether the announcement is over this track.
    package var isDucked = false
    fileprivate var rampFrameCount: Int64

    /// The first frame of the track or of its announcement.
    package var start: Int64 { min(frames.lowerBound, voice?.lowerBound ?? .max) }

    /// Whether the factor is 1 for all of some frames of the programme.
    func isPlain(in range: Range<Int64>) -> Bool {
      !isDucked && range.lowerBound - frames.lowerBound >= fadeInFrameCount
        && frames.upperBound - range.upperBound >= fadeOutFrameCount
    }

    /// The factor for a frame of the programme; exactly 1 outside of fades and announcements.
    package func gain(at frame: Int64) -> Double {
      var gain = 1.0
      let (first, rest) = (frame - frames.lowerBound, frames.upperBound - 1 - frame)
      // Sound of different tracks is not correlated: sine and cosine keep its power.
      if first < fadeInFrameCount {
        gain *=
          fadesInSmoothly
          ? FadeCurve.fadeIn(first, of: fadeInFrameCount)
          : sin(.pi / 2 * (Double(first) + 0.5) / Double(fadeInFrameCount))
      }
      if rest < fadeOutFrameCount {
        gain *=
          fadesOutSmoothly
          ? FadeCurve.fadeOut(fadeOutFrameCount - 1 - rest, of: fadeOutFrameCount)
          : sin(.pi / 2 * (Double(rest) + 0.5) / Double(fadeOutFrameCount))
      }
      guard isDucked, let voice else { return gain }
      let distance = max(voice.lowerBound - frame, frame - voice.upperBound + 1, 0)
      guard distance < rampFrameCount else { return gain }
      return gain * Decibels.amplitude(RadioPlan.duckingInDB * (1 - Double(distance) / Double(rampFrameCount)))
    }
  }

  package static let duckingInDB = -12.0
  static let rampInSeconds = 0.3
  /// Before and after an announcement between tracks.
  static let gapInSeconds = 0.3
  /// Of a track before an announcement over it, and of the quiet beginning after it.
  static let leadInSeconds = 0.5
  /// Shorter beginnings are left alone.
  static let shortestIntroInSeconds = 10.0

  package private(set) var entries: [Entry] = []
  package private(set) var frameCount: Int64 = 0
  private let sampleRateInHz: Int
  private let crossfadeInSeconds: Double
  private var previous: Slot?

  package init(_ slots: [Slot] = [], sampleRateInHz: Int, crossfadeInSeconds: Double = 0) {
    (self.sampleRateInHz, self.crossfadeInSeconds) = (sampleRateInHz, crossfadeInSeconds)
    for slot in slots { append(slot) }
  }

  /// Where the sound of an entry and that of the one before it are heard together; empty if they are not.
  package func overlap(before index: Int) -> Range<Int64> {
    guard index > 0 else { return 0..<0 }
    let start = entries[index].frames.lowerBound
    return start..<max(start, entries[index - 1].frames.upperBound)
  }

  /// Lets the last track end before, or behind, the frame at which it was to end.
  package mutating func end(at frame: Int64) {
    guard let last = entries.indices.last else { return }
    let start = entries[last].frames.lowerBound
    entries[last].frames = start..<max(start, frame)
    frameCount = entries[last].frames.upperBound
  }

  /// Places one more track, which may cut the one before it.
  package mutating func append(_ slot: Slot) {
    func frames(_ seconds: Double) -> Int64 { Int64((seconds * Double(sampleRateInHz)).rounded()) }
    let (gap, lead, ramp) = (frames(Self.gapInSeconds), frames(Self.leadInSeconds), frames(Self.rampInSeconds))
    var start = frameCount
    var entry = Entry(frames: 0..<0, rampFrameCount: ramp)
    let isJoined = slot.joinsPrevious && previous != nil
    let fade =
      isJoined ? 0 : min(frames(crossfadeInSeconds), (previous?.frameCount ?? 0) / 2, slot.frameCount / 2)
    let voiceCount = isJoined ? 0 : slot.voiceFrameCount
    let isOverIntro =
      slot.introFrameCount >= max(frames(Self.shortestIntroInSeconds), fade + lead + voiceCount + lead)
    if voiceCount > 0, !isOverIntro {
      let voice = (previous == nil ? 0 : frameCount + gap)
      entry.voice = voice..<voice + voiceCount
      start = voice + voiceCount + gap
    } else if let transition = slot.transition, let last = entries.indices.last, voiceCount == 0 {
      entry.skippedFrameCount = min(transition.skippedFrameCount, slot.frameCount)
      let end = max(entries[last].frames.lowerBound, frameCount - transition.cutFrameCount)
      entries[last].frames = entries[last].frames.lowerBound..<end
      let overlap = min(
        transition.overlapFrameCount, Int64(entries[last].frames.count), slot.frameCount - entry.skippedFrameCount)
      start = end - overlap
      entry.fadeInFrameCount = min(transition.fadeInFrameCount, slot.frameCount - entry.skippedFrameCount)
      entry.fadesInSmoothly = true
      if transition.fadesOut {
        entries[last].fadeOutFrameCount = overlap
        entries[last].fadesOutSmoothly = true
      }
    } else {
      start -= fade
      entry.fadeInFrameCount = fade
      if fade > 0, let last = entries.indices.last { entries[last].fadeOutFrameCount = fade }
      if voiceCount > 0 {
        entry.voice = start + fade + lead..<start + fade + lead + voiceCount
        entry.isDucked = true
      }
    }
    entry.frames = start..<start + slot.frameCount - entry.skippedFrameCount
    frameCount = entry.frames.upperBound
    entries.append(entry)
    previous = slot
  }
}
