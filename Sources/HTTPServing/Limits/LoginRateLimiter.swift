internal import Base
internal import Synchronization

/// Slows down wrong passwords, and nothing else: a right one is never asked to wait for the wrong ones of somebody else.
///
/// Each wrong password for a user from an address is answered later than the one before.
package final class LoginRateLimiter: Sendable {
  /// Who guesses what.
  package struct Key: Hashable, Sendable {
    let address: NetworkAddress
    /// Empty for API keys, which name nobody.
    let user: String

    package init(address: NetworkAddress, user: String) {
      self.address = address
      self.user = user
    }
  }

  /// How a wrong password is answered.
  package enum Delay: Hashable, Sendable {
    /// After some seconds; call ``noteAnswer(to:)`` then.
    case after(seconds: Double)
    /// At once and without the reason: too many answers wait already.
    case tooMany
  }

  private struct Guesses {
    var count = 0
    var waiting = 0
    /// Monotonic seconds.
    var latest = 0.0
  }

  private static let freeCount = 3
  private static let longestDelayInSeconds = 5.0
  private static let mostWaiting = 8
  /// Answers of all keys together.
  private static let mostWaitingInAll = 256
  /// After this time without a wrong password the count of a key starts again.
  private static let memoryInSeconds = 300.0
  /// So that addresses and users that are made up cost no memory.
  private static let mostKeys = 10_000
  /// More than a user's name can have.
  private static let longestUser = 100

  private struct State {
    var guesses: [Key: Guesses] = [:]
    var waiting = 0
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Double

  /// How many keys are remembered.
  var keyCount: Int { state.withLock { $0.guesses.count } }

  package init(now: @escaping @Sendable () -> Double = { monotonicSeconds() }) { self.now = now }

  /// Notes a wrong password.
  package func noteWrong(_ key: Key) -> Delay {
    let now = now()
    let key = Self.bounded(key)
    return state.withLock { state in
      if state.guesses.count >= Self.mostKeys { Self.forgetOld(&state, now) }
      var known = state.guesses[key] ?? Guesses()
      if now - known.latest > Self.memoryInSeconds, known.waiting == 0 { known.count = 0 }
      known.count += 1
      known.latest = now
      defer { state.guesses[key] = known }
      guard known.waiting < Self.mostWaiting, state.waiting < Self.mostWaitingInAll else { return .tooMany }
      known.waiting += 1
      state.waiting += 1
      let excess = known.count - Self.freeCount
      return .after(
        seconds: excess <= 0 ? 0 : min(Self.longestDelayInSeconds, 0.1 * Double(1 << min(excess, 10))))
    }
  }

  /// Notes a wrong password, and waits as long as its answer must, without a thread.
  ///
  /// - Throws: ``HTTPProblem`` of status 429 if too many answers wait already, `CancellationError`.
  package func delayAnswer(to key: Key) async throws {
    switch noteWrong(key) {
    case .tooMany:
      throw HTTPProblem(
        429, "too many wrong passwords for this user from this address", headers: [("Retry-After", "5")])
    case .after(let seconds):
      defer { noteAnswer(to: key) }
      if seconds > 0 { try await Task.sleep(for: .seconds(seconds)) }
    }
  }

  package func noteAnswer(to key: Key) {
    state.withLock { state in
      state.waiting -= 1
      state.guesses[Self.bounded(key)]?.waiting -= 1
    }
  }

  /// A right password makes the count start again.
  package func forget(_ key: Key) {
    state.withLock { state in
      let key = Self.bounded(key)
      guard let known = state.guesses[key] else { return }
      if known.waiting == 0 { state.guesses[key] = nil } else { state.guesses[key]?.count = 0 }
    }
  }

  /// Forgets keys that wait for nothing: first the older ones, then, if that is not enough, all.
  private static func forgetOld(_ state: inout State, _ now: Double) {
    state.guesses = state.guesses.filter { $0.value.waiting > 0 || now - $0.value.latest < memoryInSeconds / 10 }
    if state.guesses.count >= mostKeys { state.guesses = state.guesses.filter { $0.value.waiting > 0 } }
  }

  private static func bounded(_ key: Key) -> Key {
    key.user.utf8.count <= longestUser ? key : Key(address: key.address, user: "")
  }
}

extension String {
  /// Compares secrets: takes the same time wherever the first difference is.
  package func isEqualInConstantTime(to other: String) -> Bool {
    let (mine, others) = (Array(utf8), Array(other.utf8))
    guard mine.count == others.count else { return false }
    return zip(mine, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
