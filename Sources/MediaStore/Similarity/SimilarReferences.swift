internal import GRDB
internal import QueryLanguage
internal import Synchronization

/// Finds the recordings that sound like another one, nearest first; the store itself cannot compare sounds.
package typealias SimilarFinder = @Sendable (_ store: MediaStore, _ recordingID: Int64) throws -> [Int64]

/// Puts the recordings that sound like another one in the place of `similar:ID` in a query.
enum SimilarReferences {
  static let fieldName = "similar"
  static let field = QueryField(fieldName, .integer)

  /// The recording that a term names; nil for any other term.
  static func recordingID(_ match: QueryMatch) -> Int64? {
    guard case .number(let range) = match, let lower = range.lower, lower == range.upper else { return nil }
    return Int64(exactly: lower.value)
  }

  /// - Parameter find: gives the recordings like another one.
  static func resolved(
    _ condition: QueryCondition, _ find: (Int64) throws(QueryError) -> [Int64]
  ) throws(QueryError) -> QueryCondition {
    try condition.replacingTests { field, match throws(QueryError) in
      guard field.name == fieldName else { return .test(field, match) }
      guard let id = recordingID(match) else {
        throw QueryError("similar: name one track by its id, such as similar:17", column: 1)
      }
      return .test(field, .oneOf(try find(id).map(String.init)))
    }
  }

  /// The files of the recordings that all files of a query must sound like, in their order; nil if it does not ask for
  /// that, or for several.
  static func fileIDs(in condition: QueryCondition?, _ db: Database) throws -> [Int64]? {
    let found = QueryPlanner.conjuncts(condition).compactMap { part -> [String]? in
      guard case .test(let field, .oneOf(let ids)) = part, field.name == fieldName else { return nil }
      return ids
    }
    guard found.count == 1 else { return nil }
    let statement = try db.cachedStatement(sql: "SELECT id FROM file WHERE audio_id = ? ORDER BY id")
    return try found[0].compactMap { Int64($0) }.flatMap { try Int64.fetchAll(statement, arguments: [$0]) }
  }
}

extension MediaStore {
  /// Lets queries use `similar:ID`.
  package func findSimilar(by finder: @escaping SimilarFinder) { similarFinder.withLock { $0 = finder } }

  /// The same query with what `similar:ID` means now.
  func resolvingSimilar(_ query: Query) throws(QueryError) -> Query {
    guard let condition = query.condition else { return query }
    let finder = similarFinder.withLock { $0 }
    var result = query
    result.condition = try SimilarReferences.resolved(condition) { id throws(QueryError) in
      guard let finder else { throw QueryError("similar: sounds cannot be compared here", column: 1) }
      do {
        return try finder(self, id)
      } catch {
        throw QueryError("similar: \(error)", column: 1)
      }
    }
    return result
  }
}

extension QueryCondition {
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
