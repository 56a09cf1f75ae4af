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

  private static let limit = 1000

  private let entries = Mutex<[Client: Entry]>([:])
  private let numbers = Mutex<[Client: Int]>([:])

  /// - Parameter state: As the extension playbackReport has it; nil if nothing is said.
  func note(_ song: Song, state: String? = nil, positionInMilliseconds: Int64? = nil, by call: SubsonicCall) {
    let client = Self.client(call)
    let number = numbers.withLock { numbers in
      if let known = numbers[client] { return known }
      if numbers.count >= Self.limit { numbers.removeAll() }
      numbers[client] = numbers.count + 1
      return numbers.count
    }
    let entry = Entry(
      fileID: song.fileID, durationInSeconds: song.durationInSeconds ?? 0, number: number, notedAt: monotonicSeconds(),
      state: state, positionInMilliseconds: positionInMilliseconds)
    entries.withLock { entries in
      if entries.count >= Self.limit { entries.removeAll() }
      entries[client] = entry
    }
  }

  func forget(_ call: SubsonicCall) {
    let client = Self.client(call)
    entries.withLock { $0[client] = nil }
  }

  private static func client(_ call: SubsonicCall) -> Client {
    Client(user: call.user, name: String((call.parameters["c"] ?? "").prefix(100)))
  }

  /// What was said last of each client, until the song and a minute have passed.
  func entries(_ library: SubsonicLibrary) throws -> [SubsonicObject] {
    let now = monotonicSeconds()
    let known = entries.withLock { entries in
      entries = entries.filter { now - $0.value.notedAt < $0.value.durationInSeconds + 60 }
      return entries.sorted { ($0.value.notedAt, $0.value.number) > ($1.value.notedAt, $1.value.number) }
    }
    return try known.compactMap { client, entry in
      guard let song = try library.songs([entry.fileID]).first else { return nil }
      var object = SubsonicObject()
      object.add("username", client.user)
      object.add("minutesAgo", Int((now - entry.notedAt) / 60))
      object.add("playerId", entry.number)
      object.add("playerName", client.name)
      object.add("state", entry.state)
      object.add("positionMs", entry.positionInMilliseconds)
      return SubsonicObject(song, object)
    }
  }
}
