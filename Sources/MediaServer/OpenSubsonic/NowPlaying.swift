internal import Base
internal import MediaStore
internal import Synchronization

/// What people hear at the moment, as their clients say. It is not kept.
final class NowPlaying: Sendable {
  private struct Client: Hashable {
    let user: String
    let name: String
  }

  private struct Entry {
    let fileID: Int64
    let durationInSeconds: Double
    let number: Int
    /// Monotonic seconds.
    let notedAt: Double
    let state: String?
    let positionInMilliseconds: Int64?
  }

  /// Clients of one person; a name of a client is whatever it says.
  private static let limitOfUser = 50

  private struct State {
    var entries: [Client: Entry] = [:]
    var numbers: [Client: Int] = [:]
    var nextNumber = 1
  }

  private let state = Mutex(State())

  /// - Parameter state: As the extension playbackReport has it; nil if nothing is said.
  func note(_ song: Song, state: String? = nil, positionInMilliseconds: Int64? = nil, by call: SubsonicCall) {
    let client = Self.client(call)
    let now = monotonicSeconds()
    self.state.withLock { known in
      let number = known.numbers[client] ?? known.nextNumber
      if known.numbers[client] == nil {
        known.nextNumber += 1
        Self.forgetOldest(of: client.user, &known)
        known.numbers[client] = number
      }
      known.entries[client] = Entry(
        fileID: song.fileID, durationInSeconds: song.durationInSeconds ?? 0, number: number, notedAt: now,
        state: state, positionInMilliseconds: positionInMilliseconds)
    }
  }

  /// Makes room for another client of a person, if there must be.
  private static func forgetOldest(of user: String, _ state: inout State) {
    let own = state.numbers.keys.filter { $0.user == user }
    guard own.count >= limitOfUser else { return }
    let oldest = own.min { (state.entries[$0]?.notedAt ?? 0) < (state.entries[$1]?.notedAt ?? 0) }
    guard let oldest else { return }
    state.numbers[oldest] = nil
    state.entries[oldest] = nil
  }

  func forget(_ call: SubsonicCall) {
    let client = Self.client(call)
    state.withLock { $0.entries[client] = nil }
  }

  private static func client(_ call: SubsonicCall) -> Client {
    Client(user: call.user, name: call.clientName)
  }

  /// What was said last of each client, until the song and a minute have passed.
  func entries(_ library: SubsonicLibrary) -> SubsonicItems {
    let now = monotonicSeconds()
    let known = state.withLock { state in
      state.entries = state.entries.filter { now - $0.value.notedAt < $0.value.durationInSeconds + 60 }
      return state.entries.sorted { ($0.value.notedAt, $0.value.number) > ($1.value.notedAt, $1.value.number) }
    }
    return library.songs(known.map(\.value.fileID)) { place, song, view in
      let (client, entry) = known[place]
      var object = SubsonicObject()
      object.add("username", client.user)
      object.add("minutesAgo", Int((now - entry.notedAt) / 60))
      object.add("playerId", entry.number)
      object.add("playerName", client.name)
      object.add("state", entry.state)
      object.add("positionMs", entry.positionInMilliseconds)
      return SubsonicObject(SongDocument.object(song, in: view.browseIndex), object)
    }
  }
}
