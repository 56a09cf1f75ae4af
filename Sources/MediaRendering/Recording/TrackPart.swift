package import LibraryTracks
internal import MediaModel

/// The part of a track from a start to an end, in seconds of the track; a part of a recording that is named by its number
/// counts as a track.
package struct TrackPart: Hashable, Sendable {
  /// nil for the start of the track.
  package var startInSeconds: Double?
  /// nil for the end of the track.
  package var endInSeconds: Double?

  package init(startInSeconds: Double? = nil, endInSeconds: Double? = nil) {
    self.startInSeconds = startInSeconds
    self.endInSeconds = endInSeconds
  }

  /// Whether less than the whole track may be meant.
  package var isGiven: Bool { startInSeconds != nil || endInSeconds != nil }

  /// The frames of the part, from `start x rate` to before `end x rate`, both rounded down; it ends with the track.
  ///
  /// - Throws: ``RenderingError/nothingInRange(_:durationInSeconds:)`` or ``RenderingError/noRecording(_:)``.
  package func frames(of track: TrackReference) throws(RenderingError) -> Range<Int64> {
    let rate = track.format.sampleRateInHz ?? 0
    guard let frameCount = track.format.decodedFrameCount, rate > 0, frameCount > 0 else {
      throw .noRecording(track.files.first)
    }
    let whole = (track.part?.part.frames ?? 0..<frameCount).clamped(to: 0..<frameCount)
    let first = startInSeconds.map { FrameIndex.frame(atSeconds: $0, rateInHz: Double(rate)) } ?? 0
    let last = min(endFrame(atRateInHz: rate) ?? Int64(whole.count), Int64(whole.count))
    guard first < last else {
      throw .nothingInRange(track.files.first, durationInSeconds: Double(whole.count) / Double(rate))
    }
    return whole.lowerBound + first..<whole.lowerBound + last
  }

  /// The same part, counted from the start of the recording.
  package func inRecording(of track: TrackReference) -> TrackPart {
    guard let part = track.part?.part.frames, let rate = track.format.sampleRateInHz, rate > 0 else { return self }
    let (start, end) = (Double(part.lowerBound) / Double(rate), Double(part.upperBound) / Double(rate))
    return TrackPart(
      startInSeconds: start + (startInSeconds ?? 0), endInSeconds: min(end, endInSeconds.map { start + $0 } ?? end))
  }

  /// Where the part would end in a track of any length; nil for the track's end.
  func endFrame(atRateInHz rate: Int) -> Int64? {
    endInSeconds.map { FrameIndex.frame(atSeconds: $0, rateInHz: Double(rate)) }
  }
}
