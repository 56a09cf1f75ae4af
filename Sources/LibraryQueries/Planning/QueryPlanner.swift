package import LibraryDatabase
package import QueryLanguage
internal import UserData

/// Chooses the route of a query by counting how many files each index leads to, as long as counting pays.
///
/// SQLite's own planner knows nothing about the contents of the search index, and the tables can be joined in one order
/// only.
struct QueryPlanner {
  let db: Database
  let context: QueryContext

  /// - Parameter isOrdered: whether the order matters, which it does not for a count.
  func route(_ query: Query, limit: Int?, isOrdered: Bool = true) throws -> QueryRoute {
    let order = isOrdered ? query.order : []
    if let limit, isOrdered, order.isEmpty, let condition = query.condition, try areAtTheTop(condition, limit) {
      return .paths
    }
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

  /// Whether the first files already are all that is wanted, as for a letter that half of the files have: the search index
  /// knows only runs of three letters, and asking it for all that begin with a shorter text takes longer than reading these.
  private func areAtTheTop(_ condition: QueryCondition, _ limit: Int) throws -> Bool {
    guard limit < context.fileCount / Self.filesForOne, SearchExpression.hasShortText(condition) else { return false }
    var compiler = QueryCompiler(context)
    let sql = """
      SELECT count(*) FROM (
        SELECT \(QueryCompiler.isListed) AND (\(compiler.condition(condition))) AS passes
          FROM \(QueryRoute.paths.source { compiler.bind($0) })
         ORDER BY \(QueryRoute.paths.lastTerms.joined(separator: ", ")) LIMIT \(Self.filesForOne * limit))
       WHERE passes
      """
    var found = 0
    try QueryCompiler.with(compiler.functions, in: db) {
      found = try Int.fetchOne(db, sql: sql, arguments: StatementArguments(compiler.arguments)) ?? 0
    }
    return found >= limit
  }

  /// How many of the first files are read for each one that is wanted.
  private static let filesForOne = 10

  /// The number of files up to which a route is better than going through all files in order.
  ///
  /// Going through all n files until `limit` of k matches are found takes limit · n / k steps; sorting the k matches
  /// takes k.
  private static func bound(fileCount: Int, limit: Int?) -> Int {
    guard let limit else { return fileCount / 4 }
    return Int((Double(fileCount) * Double(min(limit, fileCount))).squareRoot())
  }

  /// The test that the fewest recordings pass, if remembering them is cheaper than checking each until `limit` are
  /// found.
  ///
  /// Remembering a recording costs a twentieth of checking it, which reads a page somewhere in the file.
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

  /// The files that the search index finds, if they are not more than `limit`, so that it is queried only once.
  private func found(_ search: SearchExpression, upTo limit: Int) throws -> [Int64]? {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT rowid FROM search WHERE search MATCH ? LIMIT ?", arguments: [search.match, limit + 1])
    return ids.count <= limit ? ids : nil
  }

  private static let mostIDs = 20_000

  /// The conditions among them that have an index.
  private static func indexedTests(_ condition: QueryCondition?) -> [(field: LibraryField, match: QueryMatch)] {
    QueryCondition.conjuncts(condition).compactMap { part in
      guard case .test(let field, let match) = part, let known = LibraryField.named(field.name), known.index != nil,
        isSelective(match)
      else { return nil }
      return (known, match)
    }
  }

  /// Whether an index helps with a test: a bounded range, or given words.
  private static func isSelective(_ match: QueryMatch) -> Bool {
    switch match {
    case .number(let range): range.lower != nil || range.upper != nil
    case .oneOf: true
    default: false
    }
  }
}

extension QueryField.Kind {
  /// Whether values are sorted as folded text, for which there is no index.
  var isText: Bool {
    switch self {
    case .text, .name, .tag: true
    default: false
    }
  }
}

/// How the files of a query are found: which table or index is read first, and in which order.
package enum QueryRoute {
  /// All files in the order of their paths.
  case paths
  /// All files in any order.
  case files
  /// The files that the search index finds.
  case search(String)
  /// The files that pass a test on a field with an index.
  case index(LibraryField, QueryMatch)
  /// All files that have a value, in the order of a field with an index. The second test limits the recordings, if they
  /// are few enough to be remembered.
  case sorted(LibraryField, among: (field: LibraryField, match: QueryMatch)?)
  /// The files with given ids.
  ///
  /// - Parameter keepsOrder: whether to use the order of the ids, unless the query has one.
  case given([Int64], keepsOrder: Bool = false)

  /// The last terms of an order, which make it total.
  var lastTerms: [String] {
    if case .given(_, keepsOrder: true) = self { ["found.place"] } else { ["file.root_id", "file.path", "file.id"] }
  }

  /// The tables to read from; the outermost one is that of the route.
  ///
  /// - Parameter bind: adds an argument and returns its placeholder.
  package func source(_ bind: ((any DatabaseValueConvertible)?) -> String) -> String {
    let root = "CROSS JOIN root ON root.id = file.root_id"
    let recording = """
      LEFT JOIN audio ON audio.id = file.audio_id
      LEFT JOIN stream ON stream.id = file.stream_id
      LEFT JOIN measures ON measures.audio_id = file.audio_id
      """
    switch self {
    case .paths: return "file INDEXED BY sqlite_autoindex_file_1 \(root) \(recording)"
    case .files: return "file NOT INDEXED \(root) \(recording)"
    case .search(let match):
      return """
        (SELECT rowid AS id FROM search WHERE search MATCH \(bind(match))) AS found
        CROSS JOIN file ON file.id = found.id \(root) \(recording)
        """
    case .given(let ids, _):
      let list = "[\(ids.map(String.init).joined(separator: ","))]"
      return """
        (SELECT key AS place, value AS id FROM json_each(\(bind(list)))) AS found
        CROSS JOIN file ON file.id = found.id \(root) \(recording)
        """
    case .index(let field, _), .sorted(let field, _):
      // The tables of the recording come before its files: if a recording fails a condition, its files are not read.
      let index = field.index ?? ""
      switch field.table {
      case "stream":
        return """
          stream INDEXED BY \(index) LEFT JOIN audio ON audio.id = stream.audio_id
          LEFT JOIN measures ON measures.audio_id = stream.audio_id
          CROSS JOIN file ON file.stream_id = stream.id \(root)
          """
      case "measures":
        return """
          measures INDEXED BY \(index) LEFT JOIN audio ON audio.id = measures.audio_id
          CROSS JOIN file ON file.audio_id = measures.audio_id LEFT JOIN stream ON stream.id = file.stream_id \(root)
          """
      default: return "file INDEXED BY \(index) \(root) \(recording)"
      }
    }
  }
}

extension LibraryField {
  /// The table of the column.
  package var table: Substring { sql.prefix { $0 != "." } }

  /// The column of that table with the id of the recording.
  var recordingIDColumn: String { "\(table).audio_id" }
}
