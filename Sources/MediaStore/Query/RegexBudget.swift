internal import GRDB
internal import Synchronization

/// The time that all regular expressions of one query may take together.
final class RegexBudget: Sendable {
  private static let limit = Duration.seconds(20)
  private let spent = Mutex(Duration.zero)

  func run(_ match: () -> Bool) throws -> Bool {
    let start = ContinuousClock.now
    let result = match()
    let total = spent.withLock { spent in
      spent += ContinuousClock.now - start
      return spent
    }
    guard total < Self.limit else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
    return result
  }
}
