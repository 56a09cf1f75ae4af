internal import Base
package import DecodingService
internal import LibraryTracks
package import MediaModel
package import MediaPlaying
internal import MediaRendering
internal import Synchronization
internal import UserData

/// Plays on a sound device of the server what clients ask for: one queue for all of them.
///
/// The device is open only while something plays. The queue is not kept when the server stops.
package final class Jukebox: Sendable {
  package struct Item: Sendable {
    /// Of the song.
    package let key: ContentHash
    package let recordingID: Int64

    package init(key: ContentHash, recordingID: Int64) {
      self.key = key
      self.recordingID = recordingID
    }
  }

  /// How the person who starts it wants to hear it.
  package struct Hearing: Sendable {
    let listener: Listener
    let isRaw: Bool
    let levelling: LoudnessLevelling

    package init(_ account: Account) {
      listener = account.listener
      isRaw = account.hearing == .raw
      levelling = LoudnessLevelling(rawValue: account.gain.rawValue) ?? .off
    }
  }

  package struct Status: Sendable {
    /// In ``items``; -1 if there are none.
    package let index: Int
    package let isPlaying: Bool
    /// 0...1.
    package let volume: Double
    package let positionInSeconds: Double
    package let items: [Item]
  }

  private struct State {
    var items: [Item] = []
    var index = 0
    var seconds = 0.0
    var volume = 1.0
    /// Whether the last song was played to its end.
    var hasEnded = false
    var session: Session?
  }

  /// Where the song that plays is after a change of the queue.
  package enum Place {
    case at(Int)
    /// It plays to its end, and is followed by the song that is there then.
    case gone(next: Int)
  }

  /// What a player plays: songs that were played remain in its queue, so that its places stay the same.
  private struct Session {
    let player: Player
    /// The index in the queue for each place of the player; nil if the song was removed from the queue.
    var indexes: [Int?]
  }

  private let state = Mutex(State())
  private let library: LibraryAccess
  private let cache: SegmentCache
  /// Its own, so that streams of others do not stop it.
  private let decoders = DecoderPool(limit: 2)
  private let openSink: @Sendable () throws -> any SoundSink

  /// - Parameter openSink: Called whenever it begins to play.
  package init(
    _ library: LibraryAccess, cache: SegmentCache, openSink: @escaping @Sendable () throws -> any SoundSink
  ) {
    self.library = library
    self.cache = cache
    self.openSink = openSink
  }

  package var status: Status {
    state.withLock { state in
      update(&state)
      return Status(
        index: state.items.isEmpty ? -1 : state.index, isPlaying: state.session != nil, volume: state.volume,
        positionInSeconds: state.seconds, items: state.items)
    }
  }

  /// Goes on where it stopped; after its end, with what was added since, or from the first song on.
  ///
  /// - Throws: ``PlayingError`` if there is no device.
  package func start(_ hearing: Hearing) throws {
    try state.withLock { state in
      update(&state)
      guard state.session == nil, !state.items.isEmpty else { return }
      if state.hasEnded { state.index = state.index + 1 < state.items.count ? state.index + 1 : 0 }
      try play(&state, hearing)
    }
  }

  /// Goes on with another song, or elsewhere in one.
  ///
  /// - Returns: false if there is no such song.
  package func skip(to index: Int, seconds: Double, _ hearing: Hearing) throws -> Bool {
    try state.withLock { state in
      guard state.items.indices.contains(index) else { return false }
      halt(&state)
      (state.index, state.seconds) = (index, seconds)
      try play(&state, hearing)
      return true
    }
  }

  /// Stops; ``start(_:)`` goes on there.
  package func stop() { state.withLock { halt(&$0) } }

  package func setVolume(_ volume: Double) {
    state.withLock { state in
      state.volume = volume
      // The player's slider is for the ear; the protocol's number is that of a slider, too.
      state.session?.player.setVolume(volume, isMuted: false)
    }
  }

  /// Changes the queue; the song that plays goes on playing.
  ///
  /// - Parameter change: Gets the songs and the index of the one that plays.
  package func change(_ change: (inout [Item], _ current: Int) -> Place) {
    state.withLock { state in
      update(&state)
      let index: Int?
      let next: Int
      switch change(&state.items, state.index) {
      case .at(let place): (index, next) = (place, place + 1)
      case .gone(let place):
        (index, next) = (nil, place)
        state.hasEnded = false
        if state.session == nil { state.seconds = 0 }
      }
      state.items = Array(state.items.prefix(SongList.largestCount))
      state.index = min(index ?? next, max(0, state.items.count - 1))
      guard let session = state.session else { return }
      let place = session.player.state.place
      let following = min(next, state.items.count)..<state.items.count
      session.player.setItems(after: place, to: following.map { PlayItem(state.items[$0].recordingID) })
      state.session?.indexes = Array(session.indexes.prefix(place)) + [index] + following.map { $0 }
    }
  }

  // MARK: - Behind the lock

  private func play(_ state: inout State, _ hearing: Hearing) throws {
    let (library, cache, decoders) = (library, cache, decoders)
    let places = state.index..<state.items.count
    let player = Player(
      PlayQueue(places.map { [items = state.items] in PlayItem(items[$0].recordingID) }), into: try openSink(),
      options: PlayerOptions(levelling: hearing.levelling, volume: state.volume)
    ) { item in
      try library.reading { store in
        let track = try store.tracks.resolve(BytePath(String(item.recordingID)))
        let source = RecordingSource(track, cache: cache) { file, track throws(SegmentReadingError) in
          try decoders.open(file, of: track)
        }
        return try PlayedTrack(
          source, through: hearing.isRaw ? .neutral : nil, heardBy: hearing.listener, in: store)
      }
    }
    player.start(seconds: state.seconds)
    state.hasEnded = false
    state.session = Session(player: player, indexes: places.map { $0 })
  }

  /// Takes over where the player is, and notices its end.
  private func update(_ state: inout State) {
    guard let session = state.session else { return }
    let playing = session.player.state
    if session.indexes.indices.contains(playing.place), let index = session.indexes[playing.place] {
      state.index = index
    }
    state.seconds = playing.positionInSeconds
    guard playing.isFinished else { return }
    state.session = nil
    decoders.endIdle(afterSeconds: 0)
    // A lost device is no end: the song goes on when there is one again.
    guard playing.failure == nil else { return }
    (state.seconds, state.hasEnded) = (0, true)
  }

  private func halt(_ state: inout State) {
    update(&state)
    guard let session = state.session else { return }
    session.player.stop()
    // A device that hangs must not keep the others.
    session.player.waitUntilFinished(upToSeconds: 2)
    state.session = nil
    decoders.endIdle(afterSeconds: 0)
  }
}
