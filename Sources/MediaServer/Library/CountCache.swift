internal import Base
internal import QueryLanguage
internal import Synchronization

/// Numbers of recent queries that take the server long to count, as long as the library stays as it is.
final class CountCache: Sendable {
  struct Key: Hashable {
    /// The path of the route.
    let path: String
    /// As it was understood: what `added:-1d..` finds depends on the time.
    let query: Query
    /// Of the library, when it was counted.
    let revision: String
  }

  private static let limit = 256

  private let sums = Mutex<[Key: JSONValue]>([:])

  /// The numbers, counted if they are not known.
  func document(for key: Key, _ count: () throws -> JSONValue) rethrows -> JSONValue {
    if let known = sums.withLock({ $0[key] }) { return known }
    let counted = try count()
    sums.withLock { sums in
      // Those of a revision before are of no use any more, and new ones come soon.
      if sums.count >= Self.limit { sums = [:] }
      sums[key] = counted
    }
    return counted
  }
}
