internal import GRDB
package import MediaModel

extension MediaStore {
  /// Every field but the tags.
  package static let fields: [QueryField] = LibraryField.all.map(\.field)

  /// The fields of this library, its own tags included.
  package var vocabulary: QueryVocabulary {
    QueryVocabulary(Self.fields) { [weak self] name in
      guard let self else { return false }
      let answer = try? self.read { db in
        try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (SELECT 1 FROM tag_name WHERE name = :name)
                OR EXISTS (SELECT 1 FROM attribute WHERE name = lower(:name))
            """,
          arguments: ["name": name])
      }
      // Where the library cannot be read, it is the query that says so when it is asked.
      return answer ?? true
    }
  }

  /// Reads the text of a query.
  package func query(_ text: String) throws(QueryError) -> Query {
    try Query(text, vocabulary: vocabulary, now: now)
  }

  /// Calls `body` with each file that a query finds, in the query's order (else by path), as they come.
  ///
  /// The order is total: by path and id in the end. `body` must not call the store, and must not keep the row; what it
  /// throws is thrown on.
  /// - Parameter fileIDs: the only files to look at, in their order unless the query has one; all without it.
  package func forEachListRow(
    of query: Query, fields: [QueryField], limit: Int? = nil, fileIDs: [Int64]? = nil, _ body: (ListRow) throws -> Void
  ) throws {
    try run({ try QueryPlan(query, fields: fields, limit: limit, fileIDs: fileIDs, in: $0) }, body)
  }

  /// Calls `body` with a row for each group of the files that a query finds.
  package func forEachGroup(
    of query: Query, _ grouping: QueryGrouping, limit: Int? = nil, _ body: (ListRow) throws -> Void
  ) throws {
    try run({ try QueryPlan(query, grouping: grouping, limit: limit, in: $0) }, body)
  }

  private func run(_ plan: (Database) throws -> QueryPlan, _ body: (ListRow) throws -> Void) throws {
    var stopped: (any Error)?
    try read { db in
      let plan = try plan(db)
      try plan.withFunctions(db) {
        do {
          try plan.run(db, body)
        } catch let error as ListRow.Stop {
          stopped = error.reason
        }
      }
    }
    if let stopped { throw stopped }
  }

  /// The same with the values of each row, for lists that are not long.
  package func forEachRow(
    of query: Query, fields: [QueryField], limit: Int? = nil, _ body: ([FieldValue]) throws -> Void
  ) throws {
    try forEachListRow(of: query, fields: fields, limit: limit) { try body($0.values) }
  }

  /// The number of files that a query finds.
  package func count(of query: Query) throws(StoreError) -> Int {
    try read { db in
      let plan = try QueryPlan(countOf: query, in: db)
      var count = 0
      try plan.withFunctions(db) {
        try plan.run(db) { if case .integer(let number) = $0.value(0) { count = Int(number) } }
      }
      return count
    }
  }

  /// The steps of SQLite's plan for a listing, for tests.
  package func plan(of query: Query, fields: [QueryField], limit: Int? = nil) throws(StoreError) -> [String] {
    try read { db in
      let plan = try QueryPlan(query, fields: fields, limit: limit, in: db)
      var steps: [String] = []
      try plan.withFunctions(db) {
        for statement in plan.statements {
          let rows = try Row.fetchAll(
            db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: StatementArguments(statement.arguments))
          steps += try rows.map { try $0["detail"] }
        }
      }
      return steps
    }
  }
}
