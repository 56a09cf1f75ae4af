internal import GRDB
package import MediaModel

extension MediaStore {
  /// Every field but the tags.
  package static let fields: [QueryField] = LibraryField.all.map(\.field)

  /// The fields of this library, its own tags included.
  package var vocabulary: QueryVocabulary {
    QueryVocabulary(Self.fields) { [weak self] name in
      guard let self else { return false }
      let found = try? self.read { db in
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM tag_name WHERE name = ?)", arguments: [name])
      }
      return found ?? nil ?? false
    }
  }

  /// Reads the text of a query.
  package func query(_ text: String) throws(QueryError) -> Query {
    try Query(text, vocabulary: vocabulary, now: now)
  }

  /// Calls `body` with the fields of each file that a query finds, in the query's order (else by path), as they come.
  ///
  /// The order is total: by path and id in the end. `body` must not call the store; what it throws is thrown on.
  package func forEachRow(
    of query: Query, fields: [QueryField], limit: Int? = nil, _ body: ([FieldValue]) throws -> Void
  ) throws {
    var compiler = QueryCompiler()
    let statement = Self.listing(query, fields, limit, &compiler)
    var stopped: (any Error)?
    try read(compiler) { db in
      let rows = try Row.fetchCursor(db, sql: statement, arguments: StatementArguments(compiler.arguments))
      while let row = try rows.next() {
        let values = zip(row.databaseValues, fields).map { FieldValue($0, kind: $1.kind) }
        do {
          try body(values)
        } catch {
          stopped = error
          return
        }
      }
    }
    if let stopped { throw stopped }
  }

  /// The number of files that a query finds.
  package func count(of query: Query) throws(StoreError) -> Int {
    var compiler = QueryCompiler()
    let condition = query.condition.map { compiler.condition($0) } ?? "TRUE"
    return try read(compiler) { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(QueryCompiler.source) WHERE \(QueryCompiler.isListed) AND \(condition)",
        arguments: StatementArguments(compiler.arguments)) ?? 0
    }
  }

  private static func listing(
    _ query: Query, _ fields: [QueryField], _ limit: Int?, _ compiler: inout QueryCompiler
  ) -> String {
    let condition = query.condition.map { compiler.condition($0) } ?? "TRUE"
    let columns = fields.isEmpty ? "NULL" : fields.map(QueryCompiler.column).joined(separator: ", ")
    return """
      SELECT \(columns)
        FROM \(QueryCompiler.source)
       WHERE \(QueryCompiler.isListed) AND \(condition)
       ORDER BY \(QueryCompiler.order(query.order))
      """ + (limit.map { " LIMIT \(max(0, $0))" } ?? "")
  }

  /// Reads with the functions of a query at hand.
  func read<Value>(_ compiler: QueryCompiler, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try read { db in
      for function in compiler.functions { db.add(function: function) }
      defer { for function in compiler.functions { db.remove(function: function) } }
      return try body(db)
    }
  }

  /// The steps of SQLite's plan for a listing, for tests.
  package func plan(of query: Query, fields: [QueryField], limit: Int? = nil) throws(StoreError) -> [String] {
    var compiler = QueryCompiler()
    let statement = Self.listing(query, fields, limit, &compiler)
    return try read(compiler) { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + statement, arguments: StatementArguments(compiler.arguments)
      ).map { $0["detail"] }
    }
  }
}
