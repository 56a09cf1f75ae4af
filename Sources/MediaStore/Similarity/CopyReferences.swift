internal import QueryLanguage
internal import Synchronization

/// Finds recordings that are the same to the ear: those like one, with itself, or all that have a copy; the store itself
/// cannot compare sounds.
package typealias CopyFinder = @Sendable (_ store: MediaStore, _ recordingID: Int64?) throws -> [Int64]

/// Puts the recordings that are the same to the ear in the place of `same:ID` and `is:duplicate` in a query.
enum CopyReferences {
  static let fieldName = "same"
  static let field = QueryField(fieldName, .integer)
  /// The word of the field `is`.
  static let word = "duplicate"

  /// - Parameter find: gives the recordings that are the same as one, or all that have copies.
  static func resolved(
    _ condition: QueryCondition, _ find: (Int64?) throws(QueryError) -> [Int64]
  ) throws(QueryError) -> QueryCondition {
    try condition.replacingTests { field, match throws(QueryError) in
      if field.name == fieldName {
        guard let id = SimilarReferences.recordingID(match) else {
          throw QueryError("same: name one track by its id, such as same:17", column: 1)
        }
        return .test(field, .oneOf(try find(id).map(String.init)))
      }
      guard field.name == "is", case .oneOf(let words) = match, words.contains(word) else { return .test(field, match) }
      let copies = QueryCondition.all([
        .test(Self.field, .oneOf(try find(nil).map(String.init))), .not(.test(field, .oneOf(["missing"]))),
      ])
      let others = words.filter { $0 != word }
      return others.isEmpty ? copies : .any([copies, .test(field, .oneOf(others))])
    }
  }
}

extension MediaStore {
  /// Lets queries use `same:ID` and `is:duplicate`.
  package func findCopies(by finder: @escaping CopyFinder) { copyFinder.withLock { $0 = finder } }

  /// The same query with what `same:ID` and `is:duplicate` mean now.
  func resolvingCopies(_ query: Query) throws(QueryError) -> Query {
    guard let condition = query.condition else { return query }
    let finder = copyFinder.withLock { $0 }
    var result = query
    result.condition = try CopyReferences.resolved(condition) { id throws(QueryError) in
      let term = id.map { "same:\($0)" } ?? "is:\(CopyReferences.word)"
      guard let finder else { throw QueryError("\(term): sounds cannot be compared here", column: 1) }
      do {
        return try finder(self, id)
      } catch {
        throw QueryError("\(term): \(error)", column: 1)
      }
    }
    return result
  }
}
