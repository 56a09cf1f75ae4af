internal import Base
internal import Glibc

/// Where each track and each announcement of a radio programme lies, in frames of the programme.
///
/// Tracks of one album that follow each other touch, with nothing said. An announcement stands between two tracks, or over the
/// beginning of a track if that is long and quiet enough; then the track is ducked. Tracks without an announcement
/// between them are cross-faded.
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

    package init(
      frameCount: Int64, voiceFrameCount: Int64 = 0, introFrameCount: Int64 = 0, joinsPrevious: Bool = false
    ) {
      self.frameCount = frameCount
      self.voiceFrameCount = voiceFrameCount
      self.introFrameCount = introFrameCount
      self.joinsPrevious = joinsPrevious
    }
  }

  /// A track in its place.
  package struct Entry: Hashable, Sendable {
    /// In the programme.
    package var frames: Range<Int64>
    package var fadeInFrameCount: Int64 = 0
    package var fadeOutFrameCount: Int64 = 0
    /// The announcement, in the programme.
    package var voice: Range<Int64>?
    /// Whether the announcement is over this track.
    package var isDucked = false
    fileprivate var rampFrameCount: Int64

    /// The first frame of the track or of its announcement.
    package var start: Int64 { min(frames.lowerBound, voice?.lowerBound ?? .max) }

    /// The factor for a frame of the programme; exactly 1 outside of fades and announcements.
    package func gain(at frame: Int64) -> Double {
      var gain = 1.0
      let (first, rest) = (frame - frames.lowerBound, frames.upperBound - 1 - frame)
      // Sound of different tracks is not correlated: sine and cosine keep its power.
      if first < fadeInFrameCount { gain *= sin(.pi / 2 * (Double(first) + 0.5) / Double(fadeInFrameCount)) }
      if rest < fadeOutFrameCount { gain *= sin(.pi / 2 * (Double(rest) + 0.5) / Double(fadeOutFrameCount)) }
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

  package init(_ slots: [Slot], sampleRateInHz: Int, crossfadeInSeconds: Double = 0) {
    func frames(_ seconds: Double) -> Int64 { Int64((seconds * Double(sampleRateInHz)).rounded()) }
    let (gap, lead, ramp) = (frames(Self.gapInSeconds), frames(Self.leadInSeconds), frames(Self.rampInSeconds))
    for (index, slot) in slots.enumerated() {
      let previous = index > 0 ? slots[index - 1] : nil
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
      } else {
        start -= fade
        entry.fadeInFrameCount = fade
        if fade > 0 { entries[index - 1].fadeOutFrameCount = fade }
        if voiceCount > 0 {
          entry.voice = start + fade + lead..<start + fade + lead + voiceCount
          entry.isDucked = true
        }
      }
      entry.frames = start..<start + slot.frameCount
      frameCount = entry.frames.upperBound
      entries.append(entry)
    }
  }
}
