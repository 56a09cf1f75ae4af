internal import Foundation
package import LibraryDatabase

/// A row of a tree: the values of its record, in the order of ``StoredTree/columns``. It may have fewer values than
/// columns. A column that stands for the row id has that value.
package struct StoredRow {
  package let tree: StoredTree
  package let rowID: Int64?
  package let values: [StoredValue]

  package init(tree: StoredTree, rowID: Int64?, values: [StoredValue]) {
    self.tree = tree
    self.rowID = rowID
    self.values = values
  }

  package subscript(column: String) -> StoredValue? {
    zip(tree.columns, values).first { $0.0.name == column }?.1
  }
}

/// The layout of the rows of a table or index: the values of a record in their order, and the type of each.
package struct StoredTree: Hashable {
  package struct Column: Hashable {
    package var name: String
    /// As a STRICT table declares it; "NULL" for the column that stands for the row id; nil if any type is allowed.
    package var type: String?
    var mayBeNull: Bool
  }

  package let name: String
  /// The table that an index belongs to.
  package let tableName: String
  package let isTable: Bool
  /// Whether the rows are in an index B-tree, as those of indexes and WITHOUT ROWID tables are.
  package let isKeyed: Bool
  /// In the order of the record, without virtual columns, which are not stored.
  package let columns: [Column]
  /// The column that stands for the row id, if there is one.
  package let rowIDColumn: String?

  package init(
    name: String, tableName: String, isTable: Bool, isKeyed: Bool, columns: [Column], rowIDColumn: String?
  ) {
    self.name = name
    self.tableName = tableName
    self.isTable = isTable
    self.isKeyed = isKeyed
    self.columns = columns
    self.rowIDColumn = rowIDColumn
  }

  /// Whether a record can be a row of this tree. Columns that were added later may be absent.
  package func accepts(_ values: [StoredValue]) -> Bool {
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
  /// All tables and indexes of a database, in the order of their creation.
  package static func all(in db: Database) throws -> [StoredTree] {
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
        SELECT coalesce(i.name, (SELECT x.name FROM pragma_table_xinfo(:table) AS x WHERE x.pk = 1)), x.type,
               coalesce(x."notnull", 1)
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

/// The record format of SQLite's file: a header of types, then the values.
enum StoredRecord {
  /// The values of a payload; nil if header and length do not agree.
  ///
  /// - Parameter columnLimit: the most columns that any record of interest has.
  static func values(_ payload: [UInt8], columnLimit: Int) -> [StoredValue]? {
    guard let (headerLength, first) = payload.varint(at: 0), headerLength >= 1, headerLength <= Int64(payload.count)
    else { return nil }
    var header = first
    var offset = Int(headerLength)
    var values: [StoredValue] = []
    while header < Int(headerLength) {
      guard values.count < columnLimit, let (type, next) = payload.varint(at: header), next <= Int(headerLength),
        let (value, end) = value(ofType: type, payload, at: offset)
      else { return nil }
      values.append(value)
      (header, offset) = (next, end)
    }
    // Every byte must be used: this finds changed lengths.
    return offset == payload.count ? values : nil
  }

  private static func value(ofType type: Int64, _ payload: [UInt8], at offset: Int) -> (StoredValue, Int)? {
    switch type {
    case 0: return (.null, offset)
    case 1...6:
      let byteCount = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      return payload.signed(at: offset, byteCount: byteCount).map { (.integer($0), offset + byteCount) }
    case 7:
      return payload.signed(at: offset, byteCount: 8)
        .map { (.real(Double(bitPattern: UInt64(bitPattern: $0))), offset + 8) }
    case 8, 9: return (.integer(type - 8), offset)
    case 12...:
      let byteCount = (type - 12) / 2
      guard byteCount <= Int64(payload.count - offset) else { return nil }
      let end = offset + Int(byteCount)
      if type % 2 == 0 { return (.blob(Array(payload[offset..<end])), end) }
      let bytes = payload[offset..<end]
      let text = String(validating: bytes, as: UTF8.self)
      return (text.map(StoredValue.text) ?? .brokenText(String(decoding: bytes, as: UTF8.self)), end)
    default: return nil
    }
  }
}

/// A value of a record of SQLite's file.
package enum StoredValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Text with bytes that are not UTF-8, shown with U+FFFD in their place.
  case brokenText(String)
  case blob([UInt8])

  /// As an argument of a statement.
  package var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value), .brokenText(let value): value.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  package var text: String? {
    switch self {
    case .text(let value), .brokenText(let value): value
    default: nil
    }
  }

  package var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }

  package var isBroken: Bool { if case .brokenText = self { true } else { false } }
}

extension StoredTree {
  /// The table in which SQLite keeps the definitions of all others.
  package static let schemaTable = StoredTree(
    name: "sqlite_schema", tableName: "sqlite_schema", isTable: true, isKeyed: false,
    columns: [
      .init(name: "type", type: "TEXT", mayBeNull: false), .init(name: "name", type: "TEXT", mayBeNull: false),
      .init(name: "tbl_name", type: "TEXT", mayBeNull: false),
      .init(name: "rootpage", type: "INTEGER", mayBeNull: false), .init(name: "sql", type: "TEXT", mayBeNull: true),
    ], rowIDColumn: nil)
}
