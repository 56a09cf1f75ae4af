internal import Base
internal import LibraryDatabase
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// Puts what lists mean in the place of `list:NAME` in a query.
///
/// A list that is a query becomes its conditions, and one of given recordings a test on its id.
struct ListReferences {
  static let fieldName = "list"
  private static let deepestNesting = 10
  /// As many as a query can have without lists.
  private static let mostTerms = 1_000

  let lists: [SavedList]
  let vocabulary: QueryVocabulary
  let now: Int64
  /// Where the query names its first list, for errors.
  let column: Int
  private var termCount = 0

  init(lists: [SavedList], vocabulary: QueryVocabulary, now: Int64, column: Int) {
    (self.lists, self.vocabulary, self.now, self.column) = (lists, vocabulary, now, column)
  }

  /// - Throws: if there is no such list, lists refer to each other, or all of them together have too many terms.
  mutating func resolved(_ query: Query) throws(QueryError) -> Query {
    guard let condition = query.condition else { return query }
    var query = query
    // A list that is a query also gives its order, unless the query has one.
    if query.order.isEmpty, case .test(let field, let match) = condition, field.name == Self.fieldName,
      let found = try named(match), found.count == 1, let text = found[0].query
    {
      query.order = try Query(text, vocabulary: vocabulary, now: now).order
    }
    query.condition = try resolved(condition, depth: 0)
    return query
  }

  private mutating func resolved(_ condition: QueryCondition, depth: Int) throws(QueryError) -> QueryCondition {
    switch condition {
    case .all(let parts): return .all(try resolved(parts, depth))
    case .any(let parts): return .any(try resolved(parts, depth))
    case .not(let inner): return .not(try resolved(inner, depth: depth))
    case .test(let field, let match) where field.name == Self.fieldName:
      guard let found = try named(match) else { return condition }
      var meanings: [QueryCondition] = []
      for list in found { meanings.append(try meaning(of: list, depth: depth)) }
      return meanings.count == 1 ? meanings[0] : .any(meanings)
    case .word, .test:
      termCount += 1
      guard termCount <= Self.mostTerms else {
        throw QueryError("list: more than \(Self.mostTerms) terms with those of the lists", column: column)
      }
      return condition
    }
  }

  private mutating func resolved(_ parts: [QueryCondition], _ depth: Int) throws(QueryError) -> [QueryCondition] {
    var resolved: [QueryCondition] = []
    for part in parts { resolved.append(try self.resolved(part, depth: depth)) }
    return resolved
  }

  private mutating func meaning(of list: SavedList, depth: Int) throws(QueryError) -> QueryCondition {
    guard let text = list.query else { return .test(Self.field, .oneOf([String(list.id)])) }
    guard depth < Self.deepestNesting else {
      throw QueryError(
        "list: '\(list.name)' refers to itself, or to more than \(Self.deepestNesting) others", column: column)
    }
    let query = try Query(text, vocabulary: vocabulary, now: now)
    // Without a condition it finds every file, and each has a path.
    guard let condition = query.condition else { return .not(.test(QueryField("path", .path), .absent)) }
    return try resolved(condition, depth: depth + 1)
  }

  /// The lists that a term names; nil for a term that is no name.
  private func named(_ match: QueryMatch) throws(QueryError) -> [SavedList]? {
    let found: [SavedList]
    let wanted: String
    switch match {
    case .contains(let text), .equalsFolded(let text):
      (found, wanted) = (lists.filter { TextFolding.fold($0.name) == text }, text)
    case .equals(let text): (found, wanted) = (lists.filter { $0.name == text }, text)
    default: return nil
    }
    guard found.isEmpty else { return found }
    let near = SpellingSuggestions.of(wanted, among: lists.map(\.name))
    throw QueryError("there is no list '\(wanted.prefix(40))'" + SpellingSuggestions.question(near), column: column)
  }

  private static let field = QueryField(fieldName, .text)
}

extension ListReferences {
  /// The field `list`: the names of the given lists that a recording is in.
  static let names = """
    (SELECT group_concat(name, '; ')
       FROM (SELECT name FROM list
              WHERE person_id = listener()
                AND id IN (SELECT list_id FROM list_entry WHERE audio_id = file.audio_id)
              ORDER BY name, id))
    """

  /// The only list of given recordings that all files of a query must be in; nil if there is none, or several.
  static func only(in condition: QueryCondition?) -> Int64? {
    let ids = QueryCondition.conjuncts(condition).compactMap { part -> [String]? in
      guard case .test(let field, .oneOf(let ids)) = part, field.name == fieldName else { return nil }
      return ids
    }
    guard ids.count == 1, ids[0].count == 1 else { return nil }
    return Int64(ids[0][0])
  }
}
