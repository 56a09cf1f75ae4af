internal import GRDB

/// What the rows of a table or index look like in the file: the values of a record in their order, and what each may be.
struct StoredTree: Hashable {
  struct Column: Hashable {
    var name: String
    /// As a STRICT table declares it, NULL where the number of the row stands for it; nil where anything goes.
    var type: String?
    var mayBeNull: Bool
  }

  let name: String
  /// Of an index: whose it is.
  let tableName: String
  let isTable: Bool
  /// Whether the rows lie in a tree of keys, as those of indexes and tables WITHOUT ROWID do.
  let isKeyed: Bool
  /// In the order of the record; what is computed is not stored.
  let columns: [Column]
  /// Where the number of the row stands for a column: the name of that column.
  let rowIDColumn: String?

  /// Whether a record can be a row of this. It may lack columns that were added later.
  func accepts(_ values: [StoredValue]) -> Bool {
    guard !values.isEmpty, values.count <= columns.count else { return false }
    return zip(columns, values).allSatisfy { $0.accepts($1) }
  }
}

extension StoredTree.Column {
  func accepts(_ value: StoredValue) -> Bool {
    switch (type, value) {
    case (_, .null): mayBeNull
    case (nil, _), ("INTEGER", .integer), ("REAL", .real), ("REAL", .integer), ("TEXT", .text), ("TEXT", .brokenText),
      ("BLOB", .blob):
      true
    default: false
    }
  }
}

extension StoredTree {
  /// All tables and indexes of a database, in the order in which they were made.
  static func all(in db: Database) throws -> [StoredTree] {
    let entries = try Row.fetchAll(
      db, sql: "SELECT type, name, tbl_name FROM sqlite_schema WHERE rootpage > 0 ORDER BY rowid")
    let keyed = Set(try String.fetchAll(db, sql: "SELECT name FROM pragma_table_list WHERE wr"))
    return try entries.map { entry in
      let (name, table): (String, String) = try (entry[1], entry[2])
      return try entry[0] == "table"
        ? try ofTable(name, isKeyed: keyed.contains(name), db)
        : try ofIndex(name, on: table, db)
    }
  }

  private static func ofTable(_ name: String, isKeyed: Bool, _ db: Database) throws -> StoredTree {
    let isStrict = try Bool.fetchOne(db, sql: "SELECT strict FROM pragma_table_list WHERE name = ?", arguments: [name])
    // Virtual columns (2) are not stored.
    var rows = try Row.fetchAll(
      db, sql: "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) WHERE hidden <> 2 ORDER BY cid",
      arguments: [name])
    func rank(_ row: Row) throws -> Int { try row[3] }
    let keys = try rows.filter { try rank($0) > 0 }.sorted { try rank($0) < rank($1) }
    if isKeyed { rows = try keys + rows.filter { try rank($0) == 0 } }
    let alias = try !isKeyed && keys.count == 1 && keys[0][1] == "INTEGER" ? keys[0][0] as String : nil
    return try StoredTree(
      name: name, tableName: name, isTable: true, isKeyed: isKeyed,
      columns: rows.map { row in
        let isAlias = try row[0] == alias
        return try Column(
          name: row[0], type: isAlias ? "NULL" : isStrict == true ? row[1] : nil,
          mayBeNull: isAlias || !(row[2] || (isKeyed && rank(row) > 0)))
      },
      rowIDColumn: alias)
  }

  private static func ofIndex(_ name: String, on table: String, _ db: Database) throws -> StoredTree {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT coalesce(i.name, (SELECT x.name FROM pragma_table_xinfo(:table) AS x WHERE x.pk = 1)), x.type, coalesce(x."notnull", 1)
          FROM pragma_index_xinfo(:index) AS i LEFT JOIN pragma_table_xinfo(:table) AS x ON x.cid = i.cid
         ORDER BY i.seqno
        """, arguments: ["index": name, "table": table])
    return try StoredTree(
      name: name, tableName: table, isTable: false, isKeyed: true,
      columns: rows.map { row in
        try Column(name: row[0] ?? "", type: (row[1] as String?) ?? "INTEGER", mayBeNull: row[2] == 0)
      },
      rowIDColumn: nil)
  }
}
