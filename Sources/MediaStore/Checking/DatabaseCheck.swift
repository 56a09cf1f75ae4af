package import LibraryDatabase

/// Checks of an open database that know nothing of what its rows mean.
package enum DatabaseCheck {
  /// Problems that SQLite's own check of the whole file finds.
  package static func integrityProblems(_ db: Database, atMost count: Int) throws -> [String] {
    let answers = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(count))")
    guard answers != ["ok"] else { return [] }
    // One answer may consist of a heading and many lines.
    let lines = answers.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }.map(String.init)
    return lines.isEmpty ? ["SQLite could not complete the check"] : lines
  }

  /// Reads each text once, because SQLite's own check does not notice those that it then refuses to read.
  package static func readTexts(_ db: Database) throws {
    let columns = try Row.fetchAll(
      db,
      sql: """
        SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND columns.type = 'TEXT'
        """
    ).map { try (table: $0[0] as String, column: $0[1] as String) }
    for (table, columns) in Dictionary(grouping: columns, by: \.table) {
      // Never true, but only the text itself shows that.
      let tests = columns.map { "\($0.column.quotedDatabaseIdentifier) = x''" }.joined(separator: " OR ")
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier) WHERE \(tests)")
    }
  }

  /// References to rows that do not exist, as `table: count`.
  package static func danglingReferences(_ db: Database) throws -> [String] {
    try Row.fetchAll(
      db, sql: "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1"
    ).map { "\(try $0[0] as String): \(try $0[1] as Int)" }
  }
}
