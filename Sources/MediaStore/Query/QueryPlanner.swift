internal import GRDB
internal import MediaModel

/// Chooses the route of a query by counting, as far as it pays, what each index would lead to.
///
/// SQLite's own planner knows nothing of the contents of the search index, and joins the tables in one order only.
struct QueryPlanner {
  let db: Database
  let context: QueryContext

  /// - Parameter isOrdered: whether the order matters; it does not for a count.
  func route(_ query: Query, limit: Int?, isOrdered: Bool = true) throws -> QueryRoute {
    let order = isOrdered ? query.order : []
    let sortField = order.first.flatMap { LibraryField.named($0.field.name) }
    let isSortedByIndex = sortField?.index != nil && !(sortField?.field.kind.isText ?? true)
    var best: QueryRoute?
    var bound = Self.bound(fileCount: context.fileCount, limit: order.isEmpty || isSortedByIndex ? limit : nil)
    func consider(_ route: QueryRoute) throws {
      let count = try self.count(route, upTo: bound + 1)
      if count <= bound {
        best = route
        bound = max(0, count - 1)
      }
    }
    let indexed = Self.indexedTests(query.condition)
    for test in indexed { try consider(.index(test.field, test.match)) }
    if let condition = query.condition, let search = try SearchExpression(condition, context, db) {
      if let ids = try found(search, upTo: min(bound, Self.mostIDs)) { return .given(ids) }
      if bound > Self.mostIDs { try consider(.search(search.match)) }
    }
    if let best { return best }
    if let sortField, isSortedByIndex, let limit {
      return .sorted(sortField, among: try fewest(of: indexed.filter { $0.field.table != "file" }, limit: limit))
    }
    return order.isEmpty && isOrdered ? .paths : .files
  }

  /// How many files a route may lead to before it is better to go through all of them in order.
  ///
  /// Going through k of n candidates until `limit` are found takes limit · n / k steps, sorting the k takes k.
  private static func bound(fileCount: Int, limit: Int?) -> Int {
    guard let limit else { return fileCount / 4 }
    return Int((Double(fileCount) * Double(min(limit, fileCount))).squareRoot())
  }

  /// The test that the fewest sounds pass, if remembering them costs less than looking at each until `limit` are found.
  ///
  /// To be remembered costs a sound a twentieth of being looked at, which reads a page somewhere in the file.
  private func fewest(
    of tests: [(field: LibraryField, match: QueryMatch)], limit: Int
  ) throws -> (field: LibraryField, match: QueryMatch)? {
    var bound = Int((20 * Double(context.fileCount) * Double(min(limit, context.fileCount))).squareRoot())
    var best: (field: LibraryField, match: QueryMatch)?
    for test in tests {
      let count = try count(.index(test.field, test.match), upTo: bound + 1)
      guard count <= bound else { continue }
      (best, bound) = (test, max(0, count - 1))
    }
    return best
  }

  private func count(_ route: QueryRoute, upTo limit: Int) throws -> Int {
    var compiler = QueryCompiler(context)
    let rows: String
    switch route {
    case .search(let match): rows = "SELECT 1 FROM search WHERE search MATCH \(compiler.bind(match))"
    case .index(let field, let match):
      rows = compiler.selection("1", field, match)
    case .paths, .files, .sorted, .given: return .max
    }
    return try Int.fetchOne(
      db, sql: "SELECT count(*) FROM (\(rows) LIMIT \(limit))", arguments: StatementArguments(compiler.arguments)) ?? 0
  }

  /// What the search index names, if that is not more than `limit`: so that it is asked once.
  private func found(_ search: SearchExpression, upTo limit: Int) throws -> [Int64]? {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT rowid FROM search WHERE search MATCH ? LIMIT ?", arguments: [search.match, limit + 1])
    return ids.count <= limit ? ids : nil
  }

  private static let mostIDs = 20_000

  /// Conditions every one of which must hold.
  private static func conjuncts(_ condition: QueryCondition?) -> [QueryCondition] {
    guard case .all(let parts) = condition else { return condition.map { [$0] } ?? [] }
    return parts.flatMap(conjuncts)
  }

  /// Those of them that an index serves.
  private static func indexedTests(_ condition: QueryCondition?) -> [(field: LibraryField, match: QueryMatch)] {
    conjuncts(condition).compactMap { part in
      guard case .test(let field, let match) = part, let known = LibraryField.named(field.name), known.index != nil,
        isSelective(match)
      else { return nil }
      return (known, match)
    }
  }

  /// Whether an index serves a test: a range with an end, or given words.
  private static func isSelective(_ match: QueryMatch) -> Bool {
    switch match {
    case .number(let range): range.lower != nil || range.upper != nil
    case .oneOf: true
    default: false
    }
  }
}

extension QueryField.Kind {
  /// Whether values are sorted as folded text, which no index has.
  var isText: Bool {
    switch self {
    case .text, .name, .tag: true
    default: false
    }
  }
}
