internal import Base
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
internal import MediaStore
internal import QueryLanguage
package import UserData

/// Why a name is not that of a tag that can be corrected.
package enum CorrectionFieldError: Error, Hashable, CustomStringConvertible {
  case invalid(String)
  /// What queries measure, count or keep otherwise.
  case notATag(String)
  /// No file has such a tag yet.
  ///
  /// - Parameter near: names that may be meant.
  case unknown(String, near: [String])

  package var description: String {
    switch self {
    case .invalid(let name):
      "'\(name)' is not a valid tag name: use 1 to 100 ASCII letters, digits and signs, without '='"
    case .notATag(let name): "'\(name)' is not a tag, so there is nothing to correct"
    case .unknown(let name, let near): "no file has the tag '\(name)'" + SpellingSuggestions.question(near)
    }
  }
}

extension Corrections {
  /// The field that a name means: one that queries have, or a tag of some file.
  ///
  /// - Parameter allowsNew: Whether no file needs to have such a tag.
  /// - Throws: ``CorrectionFieldError``, `StoreError`.
  package func field(named name: String, allowsNew: Bool = false) throws -> CorrectionField {
    guard let field = CorrectionField(name) else { throw CorrectionFieldError.invalid(name) }
    let lower = name.lowercased()
    guard Self.isTag(field, named: lower) else { throw CorrectionFieldError.notATag(lower) }
    guard !allowsNew, !TagNames.known.contains(field.name), !Self.columns.contains(field.queryName) else {
      return field
    }
    let isKnown = try store.read { db in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM tag_name WHERE name = ?)", arguments: [field.name])
        == true
    }
    guard !isKnown else { return field }
    let names = try store.read { db in try String.fetchAll(db, sql: "SELECT lower(name) FROM tag_name ORDER BY name") }
    throw CorrectionFieldError.unknown(
      lower,
      near: SpellingSuggestions.of(
        lower, among: Set(names).union(Self.columns).union(TagNames.known.map { $0.lowercased() })))
  }

  /// The field of a tag that a file has; nil if it cannot be corrected under this name.
  static func field(ofTag name: String) -> CorrectionField? {
    CorrectionField(name).flatMap { isTag($0, named: $0.queryName) ? $0 : nil }
  }

  /// - Parameter name: In lower case.
  private static func isTag(_ field: CorrectionField, named name: String) -> Bool {
    // What a person says of a recording is an attribute.
    if ["CONTRIBUTOR", "RATING", "STARRED"].contains(field.name) { return false }
    return LibraryField.named(name) == nil || columns.contains(name)
  }

  /// Fields of queries that are tags; all others that are not tags are computed.
  private static let columns: Set<String> = [
    "title", "artist", "album", "albumartist", "genre", "composer", "comment", "year", "date", "track", "tracktotal",
    "disc",
    "disctotal", "bpm", "key",
  ]
}
