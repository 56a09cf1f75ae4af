internal import Base
package import LibraryDatabase
internal import MediaModel
internal import MediaStore
package import QueryLanguage
internal import UserData

/// The statements that answer a query, one after the other.
package struct QueryPlan {
  package struct Statement {
    package var sql: String
    package var arguments: [(any DatabaseValueConvertible)?]
  }

  package let fields: [QueryField]
  package let limit: Int?
  package private(set) var statements: [Statement] = []
  private var functions: [DatabaseFunction] = []

  /// - Parameter listsParts: whether each row is a part of a file, see ``PartFields``.
  package init(
    _ query: Query, fields: [QueryField], limit: Int?, fileIDs: [Int64]? = nil, listsParts: Bool = false,
    in db: Database
  ) throws {
    var context = try QueryContext(db)
    context.listsParts = listsParts
    let columns = fields.isEmpty ? "NULL" : fields.map(QueryCompiler(context).column).joined(separator: ", ")
    try self.init(query, columns: columns, fields: fields, limit: limit, fileIDs: fileIDs, context: context, in: db)
  }

  package init(countOf query: Query, in db: Database) throws {
    try self.init(
      query, columns: "count(*)", fields: [QueryField("count", .integer)], limit: nil, isOrdered: false, in: db)
  }

  /// One row for each group: in the order of the query if it names columns of a group, then by the keys.
  package init(_ query: Query, grouping: QueryGrouping, limit: Int?, in db: Database) throws {
    let shown = try grouping.keys.map { $0.joinsSpellings ? try GroupSpellings.shown($0, of: query, in: db) : [:] }
    try self.init(query, grouping: grouping, shown: shown, limit: limit, in: db)
  }

  /// - Parameter shown: for each key, what some of its values are called.
  fileprivate init(
    _ query: Query, grouping: QueryGrouping, shown: [[String: String]], limit: Int?, in db: Database
  ) throws {
    let context = try QueryContext(db)
    let compiler = QueryCompiler(context)
    let keys = grouping.keys.enumerated().map { compiler.groupKey($1, number: $0, shown: shown[$0]) }
    let columns =
      keys.map(\.column) + (grouping.hasCount ? ["count(*)"] : [])
      + grouping.measures.map { $0.sql(compiler.column($0.field)) }
    let order = query.order.compactMap { term -> String? in
      guard let index = grouping.fields.firstIndex(of: term.field) else { return nil }
      return Self.term(columns[index], term.field, isDescending: term.isDescending)
    }
    let last = zip(columns, grouping.fields).prefix(grouping.keys.count).map {
      Self.term($0, $1, isDescending: false)
    }
    var suffix =
      grouping.keys.isEmpty ? "" : "\n GROUP BY \(columns.prefix(grouping.keys.count).joined(separator: ", "))"
    if !(order + last).isEmpty { suffix += "\n ORDER BY \((order + last).joined(separator: ", "))" }
    try self.init(
      query, columns: columns.joined(separator: ", "), fields: grouping.fields, limit: limit, isOrdered: false,
      joins: keys.map(\.join).filter { !$0.isEmpty }.joined(separator: " "), suffix: suffix, context: context, in: db)
  }

  private static func term(_ sql: String, _ field: QueryField, isDescending: Bool) -> String {
    let direction = isDescending ? " DESC NULLS LAST" : " NULLS LAST"
    return field.kind.isText ? "fold(\(sql))\(direction), \(sql)\(direction)" : sql + direction
  }

  /// - Parameters:
  ///   - columns: SQL for the columns of a row.
  ///   - fileIDs: the only files to look at, in their order unless the query has one; nil for all, or those of the one
  ///     list that the query is about.
  ///   - joins: SQL for more tables, each row of which is a row of the result.
  ///   - suffix: SQL after the conditions.
  package init(
    _ query: Query, columns: String, fields: [QueryField] = [], limit: Int?, isOrdered: Bool = true,
    fileIDs: [Int64]? = nil, joins: String = "", suffix: String = "", context: QueryContext? = nil, in db: Database
  ) throws {
    self.fields = fields
    self.limit = limit.map { max(0, $0) }
    let context = try context ?? QueryContext(db)
    let given =
      try fileIDs ?? SoundReferences.fileIDs(in: query.condition, db)
      ?? ListReferences.only(in: query.condition).map { try Lists.fileIDs(ofList: $0, db) }
    let route =
      try given.map { .given($0, keepsOrder: true) }
      ?? QueryPlanner(db: db, context: context).route(
        query, limit: suffix.isEmpty && !context.listsParts ? limit : nil, isOrdered: isOrdered)
    if case .sorted(let field, _) = route {
      // Rows without a value come last and are rarely reached.
      append(query, columns, route, "\(field.sql) IS NOT NULL", isFirstPresent: true, context)
      append(query, columns, .paths, "\(field.sql) IS NULL", context)
    } else {
      append(query, columns, route, nil, isOrdered: isOrdered, joins: joins, suffix: suffix, context)
    }
  }

  private mutating func append(
    _ query: Query, _ columns: String, _ route: QueryRoute, _ presence: String?, isOrdered: Bool = true,
    isFirstPresent: Bool = false, joins: String = "", suffix: String = "", _ context: QueryContext
  ) {
    var compiler = QueryCompiler(context, functionCount: functions.count)
    let source = route.source { compiler.bind($0) }
    var conditions = [QueryCompiler.isListed, presence, query.condition.map { compiler.condition($0) }]
    if case .sorted(let field, let few?) = route {
      let ids = compiler.selection(few.field.recordingIDColumn, few.field, few.match)
      conditions.append("\(field.recordingIDColumn) IN (\(ids))")
    }
    var sql = """
      SELECT \(columns)
        FROM \(source) \(joins)\(context.listsParts ? PartFields.join : "")
       WHERE \(conditions.compactMap { $0 }.joined(separator: " AND "))
      """
    if isOrdered {
      let terms =
        compiler.order(query.order, isFirstPresent: isFirstPresent) + route.lastTerms
        + (context.listsParts ? ["part.position"] : [])
      sql += "\n ORDER BY \(terms.joined(separator: ", "))"
    }
    sql += suffix
    if let limit { sql += "\n LIMIT \(limit)" }
    statements.append(Statement(sql: sql, arguments: compiler.arguments))
    functions += compiler.functions
  }

  /// Calls `body` while the connection has the functions of the query.
  package func withFunctions(_ db: Database, _ body: () throws -> Void) throws {
    try QueryCompiler.with(functions, in: db, body)
  }

  /// - Throws: ``ListRow/Stop`` with what `body` throws.
  package func run(_ db: Database, _ body: (borrowing ListRow) throws -> Void) throws {
    var remaining = limit ?? .max
    for statement in statements where remaining > 0 {
      try ListRow.forEach(of: statement, fields: fields, in: db) { row in
        guard remaining > 0 else { return false }
        remaining -= 1
        try body(row)
        return true
      }
    }
  }
}

/// Facts about a library that decide how a query is compiled.
package struct QueryContext {
  /// The folded paths of all roots.
  package var roots: [String] = []
  /// To whom the attributes and lists belong that count: the person for whom the connection speaks.
  package let personID: Int64
  /// Names of all attributes of that person.
  var attributeNames: Set<String> = []
  /// Whether rows are parts of files.
  var listsParts = false
  /// What separates artists in one value of a tag, as somebody listed it.
  var separators: [String] = []
  /// An upper bound of the number of files.
  package var fileCount = 0

  /// Goes from each name to the next by the index: a million rows have only a few names.
  private static let distinctNames = """
    WITH RECURSIVE known (name) AS (
      SELECT min(name) FROM attribute WHERE person_id = :person
      UNION ALL
      SELECT (SELECT min(name) FROM attribute WHERE person_id = :person AND name > known.name)
        FROM known WHERE known.name IS NOT NULL)
    SELECT name FROM known WHERE name IS NOT NULL
    """

  package init(_ db: Database) throws {
    personID = try Int64.fetchOne(db, sql: "SELECT listener()") ?? Person.ownerID
    roots = try String.fetchAll(db, sql: "SELECT path_text FROM root").map(TextFolding.fold)
    attributeNames = Set(try String.fetchAll(db, sql: Self.distinctNames, arguments: ["person": personID]))
    separators = try StoredSeparators.all(db)
    fileCount = try Int.fetchOne(db, sql: "SELECT max(id) FROM file") ?? 0
  }
}

/// What the values of a key are called that differ only by case and accents: as most files have it.
private enum GroupSpellings {
  /// More and longer ones stay groups of their own.
  private static let largestCount = 500
  private static let largestByteCount = 200

  /// - Returns: without the values that are called as they are.
  static func shown(_ key: QueryGrouping.Key, of query: Query, in db: Database) throws -> [String: String] {
    let grouping = QueryGrouping(by: [key], hasCount: true, measures: [])
    let plan = try QueryPlan(
      Query(condition: query.condition), grouping: grouping, shown: [[:]], limit: nil, in: db)
    var counts: [String: [String: Int]] = [:]
    try plan.withFunctions(db) {
      try plan.run(db) { row in
        guard case .text(let text) = row.value(0), case .integer(let count) = row.value(1),
          text.utf8.count <= largestByteCount, !text.utf8.contains(0)
        else { return }
        counts[TextFolding.fold(text), default: [:]][text] = Int(count)
      }
    }
    var shown: [String: String] = [:]
    for spellings in counts.values where spellings.count > 1 {
      guard let name = Spelling.mostCommon(spellings), shown.count + spellings.count <= largestCount else { continue }
      for spelling in spellings.keys where spelling != name { shown[spelling] = name }
    }
    return shown
  }
}
