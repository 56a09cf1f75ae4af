internal import GRDB

/// What a schema is, whatever its text: the columns of each table and whether it is strict, the definitions of views, indexes
/// and triggers.
struct SchemaStructure {
  private let parts: [String: String]

  init(_ db: Database) throws {
    let columns = try Row.fetchAll(
      db,
      sql: """
        SELECT m.type || ' ' || m.name,
               group_concat(x.name || ' ' || x.type || ' ' || x."notnull" || ' ' || coalesce(x.dflt_value, '-') || ' '
                            || x.pk || ' ' || x.hidden, ', ')
               || (SELECT max(strict) FROM pragma_table_list(m.name))
          FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS x WHERE m.type = 'table' GROUP BY 1
        """)
    // A view has no columns while a table of it is missing.
    let rest = try Row.fetchAll(
      db, sql: "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE type <> 'table'")
    parts = try Dictionary((columns + rest).map { try ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  /// That of a new library.
  static func fresh() throws -> SchemaStructure {
    try DatabaseQueue.withDatabase(at: nil) { queue in
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: String(decoding: PackageResources.schema_sql, as: UTF8.self))
        return try SchemaStructure(db)
      }
    }
  }

  /// What this lacks, or has otherwise than another; what it has besides is its own affair.
  func differences(from other: SchemaStructure) -> [String] {
    other.parts.sorted { $0.key < $1.key }.compactMap { name, definition in
      guard let own = parts[name] else { return "\(name) is missing" }
      return own == definition ? nil : "\(name) is not as it should be"
    }
  }
}
