internal import Base
internal import LibraryQueries
internal import LibraryServing
internal import MediaStore
internal import QueryLanguage
internal import Synchronization
internal import UserData

/// The file ids of recent queries in their order, so that any page, and the place of any row, is found at once.
///
/// A result stays as it was while the library changes: pages that are asked for with its revision fit together.
final class ResultLists: Sendable {
  struct Key: Hashable {
    let query: String
    let sort: String
    /// Whose ratings, plays and lists the query is about.
    let listener = LibraryAccess.listener
  }

  struct Result: Sendable {
    /// Of the library, when it was searched.
    let revision: String
    /// As it was understood then: what `added:-1d..` finds depends on the time.
    let query: Query
    let fileIDs: [Int64]
  }

  /// Ids of all results together: 64 MiB.
  private static let capacity = 8 << 20

  /// The one used last is the last.
  private let results = Mutex<[(key: Key, result: Result)]>([])

  /// The result of a query, searched for if it is not known.
  ///
  /// - Parameter revision: That of an earlier page; nil for the present one of the library.
  func result(for key: Key, revision: String?, in store: MediaStore) throws -> Result {
    if let known = try known(key, revision: revision, in: store) { return known }
    let query = try store.query(key.query, sortedBy: key.sort)
    let result = Result(revision: try store.revision(), query: query, fileIDs: try store.fileIDs(of: query))
    add(result, key)
    return result
  }

  /// The same, nil if it is not known.
  func known(_ key: Key, revision: String?, in store: MediaStore) throws -> Result? {
    if let revision, let found = taken({ $0 == key && $1.revision == revision }) { return found }
    let present = try store.revision()
    guard results.withLock({ $0.contains { $0.key == key && $0.result.revision == present } }) else { return nil }
    let query = try store.query(key.query, sortedBy: key.sort)
    return taken { $0 == key && $1.revision == present && $1.query == query }
  }

  /// The last result that `fits`, which is now the one used last.
  private func taken(_ fits: (Key, Result) -> Bool) -> Result? {
    results.withLock { results in
      guard let index = results.lastIndex(where: { fits($0.key, $0.result) }) else { return nil }
      let found = results.remove(at: index)
      results.append(found)
      return found.result
    }
  }

  private func add(_ result: Result, _ key: Key) {
    results.withLock { results in
      results.append((key, result))
      while results.count > 1, results.reduce(0, { $0 + $1.result.fileIDs.count }) > Self.capacity || results.count > 32
      {
        results.removeFirst()
      }
    }
  }
}

/// Numbers of recent queries that take the server long to count, as long as the library stays as it is.
final class CountCache: Sendable {
  struct Key: Hashable {
    /// The path of the route.
    let path: String
    /// As it was understood: what `added:-1d..` finds depends on the time.
    let query: Query
    /// Of the library, when it was counted.
    let revision: String
    /// Whose ratings, plays and lists the query is about.
    let listener = LibraryAccess.listener
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
