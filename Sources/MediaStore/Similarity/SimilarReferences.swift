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
    switch condition {
    case .all(let parts): return .all(try resolved(parts, find))
    case .any(let parts): return .any(try resolved(parts, find))
    case .not(let inner): return .not(try resolved(inner, find))
    case .test(let field, let match) where field.name == fieldName:
      guard let id = recordingID(match) else {
        throw QueryError("similar: name one track by its id, such as similar:17", column: 1)
      }
      return .test(field, .oneOf(try find(id).map(String.init)))
    case .word, .test: return condition
    }
  }

  private static func resolved(
    _ parts: [QueryCondition], _ find: (Int64) throws(QueryError) -> [Int64]
  ) throws(QueryError) -> [QueryCondition] {
    var resolved: [QueryCondition] = []
    for part in parts { resolved.append(try self.resolved(part, find)) }
    return resolved
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
