internal import Base
package import LibraryTracks
import MediaStore
internal import Synchronization

/// What people hear at the moment, as their clients say. It is not kept.
package final class NowPlaying: Sendable {
  /// A client of a person.
  package struct Player: Hashable, Sendable {
    package let user: String
    /// Whatever it says.
    package let name: String

    package init(user: String, name: String) {
      self.user = user
      self.name = name
    }
  }

  /// What a player said last.
  package struct Entry: Sendable {
    package let player: Player
    /// Of the player, as long as the server runs.
    package let number: Int
    package let fileID: Int64
    fileprivate let durationInSeconds: Double
    /// Monotonic seconds.
    fileprivate let notedAt: Double
    package let state: String?
    package let positionInMilliseconds: Int64?

    package var ageInSeconds: Double { monotonicSeconds() - notedAt }
  }

  /// Clients of one person.
  private static let limitOfUser = 50

  private struct State {
    var entries: [Player: Entry] = [:]
    var numbers: [Player: Int] = [:]
    var nextNumber = 1
  }

  private let state = Mutex(State())

  package init() {}

  /// - Parameter state: As the extension playbackReport of OpenSubsonic has it; nil if nothing is said.
  package func note(
    _ song: Song, state: String? = nil, positionInMilliseconds: Int64? = nil, by player: Player
  ) {
    let now = monotonicSeconds()
    self.state.withLock { known in
      let number = known.numbers[player] ?? known.nextNumber
      if known.numbers[player] == nil {
        known.nextNumber += 1
        Self.forgetOldest(of: player.user, &known)
        known.numbers[player] = number
      }
      known.entries[player] = Entry(
        player: player, number: number, fileID: song.fileID, durationInSeconds: song.durationInSeconds ?? 0,
        notedAt: now, state: state, positionInMilliseconds: positionInMilliseconds)
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

  package func forget(_ player: Player) { state.withLock { $0.entries[player] = nil } }

  /// What was said last of each client, until the song and a minute have passed; the latest first.
  package var entries: [Entry] {
    let now = monotonicSeconds()
    return state.withLock { state in
      state.entries = state.entries.filter { now - $0.value.notedAt < $0.value.durationInSeconds + 60 }
      return state.entries.values.sorted { ($0.notedAt, $0.number) > ($1.notedAt, $1.number) }
    }
  }
}
