internal import MediaModel

/// A list with a name: the answer of a query, asked anew at each use, or given sounds.
package struct SavedList: Hashable, Sendable {
  package var id: Int64
  package var name: String
  /// nil for a list of given sounds.
  package var query: String?
  package var entryCount: Int
  /// Seconds since 1970.
  package var changedAt: Int64

  static let maximumNameByteCount = 200

  /// Names are the same that have the same key, as those of presets: case does not matter, nor how accents are encoded,
  /// because Swift compares strings by canonical equivalence.
  static func key(_ name: String) -> String { name.lowercased() }

  /// What a list can be called after a title from elsewhere; nil where nothing is left of it.
  package static func name(after title: String) -> String? {
    var name = String(String.UnicodeScalarView(title.unicodeScalars.filter { !TerminalText.mustBeEscaped($0) }))
    while name.first?.isWhitespace == true { name.removeFirst() }
    while name.last?.isWhitespace == true || name.utf8.count > maximumNameByteCount { name.removeLast() }
    return name.isEmpty ? nil : name
  }
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
