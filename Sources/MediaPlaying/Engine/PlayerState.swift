internal import Foundation
internal import Synchronization
package import MediaModel

/// How a player begins.
package struct PlayerOptions: Sendable {
  package var levelling = LoudnessLevelling.track
  /// `0...1`, as a slider shows it.
  package var volume = 1.0
  /// Who decides how each track leads to the next; nil for gapless playing.
  package var transitions: PlayerTransitions?

  package init(levelling: LoudnessLevelling = .track, volume: Double = 1, transitions: PlayerTransitions? = nil) {
    self.levelling = levelling
    self.volume = volume
    self.transitions = transitions
  }
}

/// What a player does now.
package struct PlayerState: Sendable {
  /// The place in the queue of the track that is heard.
  package internal(set) var place = 0
  /// The frame of its recording that is heard.
  package internal(set) var frame: Int64 = 0
  package internal(set) var isPaused = false
  package internal(set) var isFinished = false
  /// Whether it was stopped before the end of the queue.
  package internal(set) var wasStopped = false
  /// Why it ended; nil if the queue ended, or it was stopped.
  package internal(set) var failure: (any Error)?
  /// Frames of the recording that are repeated.
  package internal(set) var loop: Range<Int64>?
  package internal(set) var levelling: LoudnessLevelling
  /// `0...1`, as a slider shows it; the factor is its cube, which the ear finds even.
  package internal(set) var volume: Double
  package internal(set) var isMuted = false
  /// Frames of the sink that were written and are not heard yet.
  package internal(set) var delayFrameCount: Int64 = 0
  /// The tracks that began last: the next one begins before the end of the last one is heard.
  private var tracks: [(place: Int, track: PlayedTrack)] = []
  /// Equalizers that were changed while they were heard, by place.
  private var equalizers: [Int: Equalizer] = [:]

  init(levelling: LoudnessLevelling, volume: Double) {
    self.levelling = levelling
    self.volume = volume
  }

  /// The track that is heard; nil if it did not begin yet.
  package var track: PlayedTrack? { tracks.last { $0.place == place }?.track }

  package var positionInSeconds: Double {
    guard let track else { return 0 }
    return Double(max(0, frame - track.frames.lowerBound)) / Double(track.sampleRateInHz)
  }

  /// The equalizer that is heard.
  package var equalizer: Equalizer { equalizers[place] ?? track?.chain.equalizer ?? .flat }

  /// Whether the equalizer is not that of the track's preset.
  package var isEqualizerChanged: Bool { equalizers[place].map { $0 != track?.chain.equalizer } ?? false }

  mutating func begin(_ track: PlayedTrack, at place: Int) {
    tracks.removeAll { $0.place == place }
    tracks = tracks.suffix(1) + [(place, track)]
  }

  mutating func setEqualizer(_ equalizer: Equalizer) { equalizers[place] = equalizer }

  func settings(of track: PlayedTrack, at place: Int) -> SoundSettings {
    SoundSettings(
      equalizer: equalizers[place] ?? track.chain.equalizer, gainInDB: track.gainInDB(levelling),
      volume: isMuted ? 0 : volume * volume * volume)
  }
}

/// What people and programs ask of a player.
extension Player {
  package var state: PlayerState { shared.withLock { $0 } }

  package func pause(_ pauses: Bool) { send(.pause(pauses)) }

  package func stop() { send(.stop) }

  /// Goes on at a frame of the recording that is heard; beyond the end, with the next track.
  package func seek(toFrame frame: Int64) { send(.seek(frame)) }

  package func seek(bySeconds seconds: Double) {
    let state = state
    guard let track = state.track else { return }
    seek(toFrame: max(track.frames.lowerBound, state.frame + Int64(seconds * Double(track.sampleRateInHz))))
  }

  /// - Parameter part: `0...1` of the track.
  package func seek(toPart part: Double) {
    guard let track = state.track else { return }
    seek(toFrame: track.frames.lowerBound + Int64(part * Double(track.frames.count)))
  }

  /// To the next track (1) or back (-1). Back leads to the start of the track after its first three seconds.
  ///
  /// - Returns: false if there is no such track.
  @discardableResult
  package func step(by step: Int) -> Bool {
    let state = state
    if step < 0, let track = state.track, state.positionInSeconds > 3 {
      seek(toFrame: track.frames.lowerBound)
      return true
    }
    guard let place = queue.change({ $0.place(from: state.place, by: step) }) else { return false }
    send(.place(place))
    return true
  }

  /// Repeats frames of the recording that is heard, without a gap; nil for no longer.
  package func repeatFrames(_ range: Range<Int64>?) { send(.loop(range)) }

  package func setVolume(_ volume: Double, isMuted: Bool) {
    shared.withLock { state in
      state.volume = min(max(volume, 0), 1)
      state.isMuted = isMuted
    }
    send(.settings)
  }

  package func setLevelling(_ levelling: LoudnessLevelling) {
    shared.withLock { $0.levelling = levelling }
    send(.settings)
  }

  /// Moves to another equalizer in 30 ms; it stays with the track as long as the player runs.
  package func setEqualizer(_ equalizer: Equalizer) {
    shared.withLock { $0.setEqualizer(equalizer) }
    send(.settings)
  }

  package var itemCount: Int { queue.change { $0.items.count } }

  /// The queue and what follows in it may change while it is played.
  package func changeQueue(_ change: (inout PlayQueue) -> Void) {
    queue.change { change(&$0) }
    send(.queueChanged)
  }

  /// Replaces what follows a place at which the player is or soon will be. If another track plays by then, the first of the
  /// new ones begins instead of it.
  package func setItems(after place: Int, to items: [PlayItem]) { send(.following(after: place, items)) }

  package var items: [PlayItem] { queue.change { $0.items } }

  package var repetition: PlayQueue.Repetition { queue.change { $0.repetition } }

  /// Waits until everything is heard, or the player was stopped.
  ///
  /// - Returns: false if the time was over before: a device may hang.
  @discardableResult
  package func waitUntilFinished(upToSeconds seconds: Double = .infinity) -> Bool {
    let end = seconds.isFinite ? Date(timeIntervalSinceNow: seconds) : nil
    return condition.withLock {
      while !state.isFinished {
        // A wait until .distantFuture ends the program.
        guard let end else {
          condition.wait()
          continue
        }
        guard condition.wait(until: end) else { return state.isFinished }
      }
      return true
    }
  }

  private func send(_ command: Command) {
    condition.withLock {
      commands.append(command)
      condition.broadcast()
    }
  }
}
