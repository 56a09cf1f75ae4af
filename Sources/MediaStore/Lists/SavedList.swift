/// A list with a name: the answer of a query, asked anew at each use, or given sounds.
package struct SavedList: Hashable, Sendable {
  package var id: Int64
  package var name: String
  /// nil for a list of given sounds.
  package var query: String?
  package var entryCount: Int
  /// Seconds since 1970.
  package var changedAt: Int64
}

/// Why there is no such list, or none can be made.
package enum ListError: Error, Hashable, CustomStringConvertible {
  case unknown(String)
  case invalidName(String)
  case exists(String)

  package var description: String {
    switch self {
    case .unknown(let name): "there is no list '\(name)'; `deadwax list ls` shows them"
    case .exists(let name): "there is a list '\(name)' already; --replace replaces it"
    case .invalidName(let reason): "the name of a list \(reason)"
    }
  }
}
