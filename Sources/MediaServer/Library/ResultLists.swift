internal import MediaStore
internal import QueryLanguage
internal import Synchronization

/// The file ids of recent queries in their order, so that any page, and the place of any row, is found at once.
///
/// A result stays as it was while the library changes: pages that are asked for with its revision fit together.
final class ResultLists: Sendable {
  struct Key: Hashable {
    let query: String
    let sort: String
  }

  struct Result: Sendable {
    /// Of the library, when it was searched.
    let revision: String
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
    let present = try store.revision()
    if let known = known(key, revisions: [revision, present]) { return known }
    let query = try store.query(key.query, sortedBy: key.sort)
    let result = Result(revision: present, fileIDs: try store.fileIDs(of: query))
    add(result, key)
    return result
  }

  /// - Parameter revisions: The first that is known counts.
  func known(_ key: Key, revisions: [String?]) -> Result? {
    results.withLock { results in
      for revision in revisions.compactMap({ $0 }) {
        guard let index = results.firstIndex(where: { $0.key == key && $0.result.revision == revision }) else {
          continue
        }
        let found = results.remove(at: index)
        results.append(found)
        return found.result
      }
      return nil
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
