internal import Base
internal import LibraryDatabase
package import MediaStore
package import QueryLanguage
internal import UserData

/// Results in two steps, for programs that show a part of a long list: first the order of all files, then the rows of some.
extension MediaStore {
  /// A query with another order, `title+` or `year-,artist+`, if there is one.
  package func query(_ text: String, sortedBy sort: String) throws(QueryError) -> Query {
    var query = try query(text)
    if !sort.isEmpty { query.order = try Query.order(sort, vocabulary: vocabulary) }
    return query
  }

  /// The ids of the files that a query finds, in its order.
  package func fileIDs(of query: Query, limit: Int? = nil) throws(StoreError) -> [Int64] {
    try read { db in
      let plan = try QueryPlan(
        query, columns: "file.id", fields: [QueryField("file", .integer)], limit: limit, in: db)
      var ids: [Int64] = []
      try plan.withFunctions(db) {
        try plan.run(db) { if case .integer(let id) = $0.cell(0) { ids.append(id) } }
      }
      return ids
    }
  }

  /// Calls `body` with the rows of some files, in the order of the ids; files that are gone are left out.
  ///
  /// The first value of each row is the id of the file. `body` must not call the store.
  package func forEachListRow(
    ofFiles ids: [Int64], fields: [QueryField], _ body: (borrowing ListRow) throws -> Void
  ) throws {
    let plan = { (db: Database) in
      let context = try QueryContext(db)
      let columns = ["file.id"] + fields.map(QueryCompiler(context).column)
      return try QueryPlan(
        .everything, columns: columns.joined(separator: ", "), fields: [QueryField("file", .integer)] + fields,
        limit: nil, fileIDs: ids, context: context, in: db)
    }
    try run(plan, body)
  }

  /// In seconds, of all of them together; a file that comes twice counts twice.
  package func duration(ofFiles ids: [Int64]) throws(StoreError) -> Double {
    try read { db in
      try Double.fetchOne(
        db, sql: "SELECT sum(duration_s) FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value",
        arguments: ["[\(ids.map(String.init).joined(separator: ","))]"]) ?? 0
    }
  }
}
