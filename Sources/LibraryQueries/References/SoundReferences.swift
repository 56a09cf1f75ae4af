internal import LibraryDatabase
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// What a query asks of the sound of recordings.
enum SoundQuestion {
  /// Those that sound like one, nearest first, after itself: `similar:17`.
  case similar(to: Int64)
  /// Those that are the same to the ear as one, with itself: `same:17`.
  case same(as: Int64)
  /// All that have a copy: `is:duplicate`.
  case copies
  /// Not recordings but files: those that another one makes superfluous, `is:redundant`.
  case redundantFiles

  /// As it is written in a query.
  var term: String {
    switch self {
    case .similar(let id): "\(SoundReferences.similar.name):\(id)"
    case .same(let id): "\(SoundReferences.same.name):\(id)"
    case .copies: "is:\(SoundReferences.duplicate)"
    case .redundantFiles: "is:\(SoundReferences.redundant)"
    }
  }
}

/// Puts the recordings that are found by their sound in the place of `similar:ID`, `same:ID` and `is:duplicate` in a query.
enum SoundReferences {
  static let similar = QueryField("similar", .integer)
  static let same = QueryField("same", .integer)
  /// Files, of which queries say only `is:redundant`.
  static let redundantFile = QueryField("redundant", .integer)
  /// Words of the field `is`.
  static let duplicate = "duplicate"
  static let redundant = "redundant"

  /// - Parameter find: gives the answer to a question.
  static func resolved(
    _ condition: QueryCondition, _ find: (SoundQuestion) throws(QueryError) -> [Int64]
  ) throws(QueryError) -> QueryCondition {
    func found(_ field: QueryField, _ question: SoundQuestion) throws(QueryError) -> QueryCondition {
      .test(field, .oneOf(try find(question).map(String.init)))
    }
    return try condition.replacingTests { field, match throws(QueryError) in
      switch field.name {
      case similar.name: return try found(field, .similar(to: recordingID(match, of: field)))
      case same.name: return try found(field, .same(as: recordingID(match, of: field)))
      default:
        guard field.name == "is", case .oneOf(let words) = match else { return .test(field, match) }
        var parts: [QueryCondition] = []
        if words.contains(duplicate) {
          parts.append(.all([try found(same, .copies), .not(.test(field, .oneOf(["missing"])))]))
        }
        if words.contains(redundant) { parts.append(try found(redundantFile, .redundantFiles)) }
        guard !parts.isEmpty else { return .test(field, match) }
        let others = words.filter { $0 != duplicate && $0 != redundant }
        if !others.isEmpty { parts.append(.test(field, .oneOf(others))) }
        return parts.count == 1 ? parts[0] : .any(parts)
      }
    }
  }

  /// The recording that a term names.
  private static func recordingID(_ match: QueryMatch, of field: QueryField) throws(QueryError) -> Int64 {
    guard case .number(let range) = match, let lower = range.lower, lower == range.upper,
      let id = Int64(exactly: lower.value)
    else { throw QueryError("\(field.name): name one track by its id, such as \(field.name):17", column: 1) }
    return id
  }

  /// The recordings that a resolved term names, in their order; nil for any other term.
  static func recordingIDs(_ field: QueryField, _ match: QueryMatch) -> [String]? {
    guard field.name == similar.name || field.name == same.name, case .oneOf(let ids) = match else { return nil }
    return ids
  }

  /// The files of the recordings that all files of a query must sound like, in their order; nil if it does not ask for
  /// that, or for several.
  static func fileIDs(in condition: QueryCondition?, _ db: Database) throws -> [Int64]? {
    let found = QueryCondition.conjuncts(condition).compactMap { part -> [String]? in
      guard case .test(let field, let match) = part, field.name == similar.name else { return nil }
      return recordingIDs(field, match)
    }
    guard found.count == 1 else { return nil }
    let statement = try db.cachedStatement(sql: "SELECT id FROM file WHERE audio_id = ? ORDER BY id")
    return try found[0].compactMap { Int64($0) }.flatMap { try Int64.fetchAll(statement, arguments: [$0]) }
  }
}

extension MediaStore {
  /// The same query with what its terms about sound mean now.
  func resolvingSounds(_ query: Query) throws(QueryError) -> Query {
    guard let condition = query.condition else { return query }
    var result = query
    result.condition = try SoundReferences.resolved(condition) { question throws(QueryError) in
      do {
        if let found = try answer(to: question) { return found }
      } catch {
        throw QueryError("\(question.term): \(error)", column: 1)
      }
      throw QueryError("\(question.term): sounds cannot be compared here", column: 1)
    }
    return result
  }

  /// nil if nobody compares sounds for this library.
  private func answer(to question: SoundQuestion) throws -> [Int64]? {
    switch question {
    case .similar(let id): try sounds.similar?(self, id)
    case .same(let id): try sounds.copies?(self, id)
    case .copies: try sounds.copies?(self, nil)
    case .redundantFiles: try sounds.redundantFiles?(self)
    }
  }
}

extension QueryCondition {
  /// Conditions that must all hold.
  static func conjuncts(_ condition: QueryCondition?) -> [QueryCondition] {
    guard case .all(let parts) = condition else { return condition.map { [$0] } ?? [] }
    return parts.flatMap(conjuncts)
  }

  /// The same condition with another one in the place of each test of a field.
  func replacingTests(
    _ replace: (QueryField, QueryMatch) throws(QueryError) -> QueryCondition
  ) throws(QueryError) -> QueryCondition {
    switch self {
    case .all(let parts): return .all(try Self.replacing(in: parts, replace))
    case .any(let parts): return .any(try Self.replacing(in: parts, replace))
    case .not(let inner): return .not(try inner.replacingTests(replace))
    case .test(let field, let match): return try replace(field, match)
    case .word: return self
    }
  }

  private static func replacing(
    in parts: [QueryCondition], _ replace: (QueryField, QueryMatch) throws(QueryError) -> QueryCondition
  ) throws(QueryError) -> [QueryCondition] {
    var replaced: [QueryCondition] = []
    for part in parts { replaced.append(try part.replacingTests(replace)) }
    return replaced
  }
}
