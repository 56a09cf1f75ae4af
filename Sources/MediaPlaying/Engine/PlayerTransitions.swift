package import MediaModel
internal import MediaRendering
package import MediaStore

/// Decides how each track that is played leads to the next, from what a library has stored of them.
package struct PlayerTransitions: Sendable {
  private let planner: TransitionPlanner
  private let store: MediaStore

  package init(_ style: TransitionStyle, from store: MediaStore) {
    planner = TransitionPlanner(style: style)
    self.store = store
  }

  /// - Parameter rate: Of the sink.
  func transition(from track: PlayedTrack, to next: PlayedTrack, atRateInHz rate: Int) throws -> Transition {
    try sequenced(track, rate).transition(to: try sequenced(next, rate), by: planner)
  }

  private func sequenced(_ track: PlayedTrack, _ rate: Int) throws -> SequencedTrack {
    try SequencedTrack(
      track.source.track, length: Double(try track.frameCount(atRateInHz: rate)) / Double(rate),
      speed: track.chain.rate, from: store)
  }

  /// The length of several tracks, one after the other.
  package func frameCount(of tracks: [PlayedTrack], atRateInHz rate: Int) throws -> Int64 {
    var plan = RadioPlan(sampleRateInHz: rate)
    var previous: PlayedTrack?
    for track in tracks {
      var slot = RadioPlan.Slot(frameCount: try track.frameCount(atRateInHz: rate))
      if let previous {
        slot.transition = RadioPlan.FrameTransition(
          try transition(from: previous, to: track, atRateInHz: rate),
          afterFrames: try previous.frameCount(atRateInHz: rate), sampleRateInHz: rate)
      }
      plan.append(slot)
      previous = track
    }
    return plan.frameCount
  }
}
