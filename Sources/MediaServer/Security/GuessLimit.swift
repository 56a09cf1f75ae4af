internal import Base
internal import Synchronization

/// Slows down addresses from which wrong passwords come, and no others.
///
/// Each wrong password of an address is answered later than the one before, and an address that lets many of them wait is
/// refused without a look at the password.
final class GuessLimit: Sendable {
  struct Address: Hashable, Sendable {
    let text: String

    /// An address of IPv6 counts with its network: one computer can have any number of them there.
    init(_ text: String?) {
      let text = text ?? "unknown"
      self.text =
        text.contains(":")
        ? text.split(separator: ":", omittingEmptySubsequences: false).prefix(4).joined(separator: ":") : text
    }
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
  /// After this time without a wrong password the count of an address starts again.
  private static let memoryInSeconds = 300.0
  /// So that addresses that are made up cost no memory.
  private static let mostAddresses = 10_000

  private let guesses = Mutex<[Address: Guesses]>([:])
  private let now: @Sendable () -> Double

  init(now: @escaping @Sendable () -> Double = { monotonicSeconds() }) { self.now = now }

  /// Whether an address has so many answers outstanding that it gets no more tries for now.
  func refuses(_ address: Address) -> Bool {
    guesses.withLock { ($0[address]?.waiting ?? 0) >= Self.mostWaiting }
  }

  /// Notes a wrong password; call ``noteAnswer(to:)`` after the delay.
  ///
  /// - Returns: how many seconds its answer waits.
  func delay(afterWrongPasswordFrom address: Address) -> Double {
    let now = now()
    return guesses.withLock { guesses in
      if guesses.count >= Self.mostAddresses {
        guesses = guesses.filter { $0.value.waiting > 0 || now - $0.value.latest < Self.memoryInSeconds / 10 }
      }
      var known = guesses[address] ?? Guesses()
      if now - known.latest > Self.memoryInSeconds, known.waiting == 0 { known.count = 0 }
      known.count += 1
      known.waiting += 1
      known.latest = now
      guesses[address] = known
      let excess = known.count - Self.freeCount
      return excess <= 0 ? 0 : min(Self.longestDelayInSeconds, 0.1 * Double(1 << min(excess, 10)))
    }
  }

  func noteAnswer(to address: Address) {
    guesses.withLock { $0[address]?.waiting -= 1 }
  }

  /// A right password makes the count of an address start again.
  func forget(_ address: Address) {
    guesses.withLock { guesses in
      guard let known = guesses[address] else { return }
      if known.waiting == 0 { guesses[address] = nil } else { guesses[address]?.count = 0 }
    }
  }
}
