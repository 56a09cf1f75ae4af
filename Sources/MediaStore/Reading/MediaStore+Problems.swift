internal import GRDB
package import MediaModel

extension MediaStore {
  /// Calls `body` with each file that is not simply `ok` and that a query finds, by path unless the query sorts.
  ///
  /// `body` must not call the store; what it throws is thrown on.
  package func forEachProblem(in query: Query = .everything, _ body: (FileDetail) throws -> Void) throws {
    var stopped: (any Error)?
    try read { db in
      var query = query
      let isProblem = QueryCondition.test(
        QueryField("state", .text), .oneOf(FileState.allCases.filter { $0 != .ok }.map(\.rawValue)))
      query.condition = query.condition.map { .all([isProblem, $0]) } ?? isProblem
      let plan = try QueryPlan(query, columns: FileDetail.columns, limit: nil, in: db)
      try plan.withFunctions(db) {
        for statement in plan.statements {
          let rows = try Row.fetchCursor(db, sql: statement.sql, arguments: StatementArguments(statement.arguments))
          while let row = try rows.next() {
            let file = try FileDetail(row: row)
            do {
              try body(file)
            } catch {
              stopped = error
              return
            }
          }
        }
      }
    }
    if let stopped { throw stopped }
  }

  /// Makes the next scan read files again whatever became of them, as if a newer version could do better.
  package func retry(fileIDs: [Int64]) throws(StoreError) {
    try write(.batch) { db in
      for id in fileIDs {
        try db.execute(sql: "UPDATE file SET extractor_version = 0, attempts = 0 WHERE id = ?", arguments: [id])
      }
    }
  }
}
