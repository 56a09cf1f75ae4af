internal import GRDB

/// The columns of a table that hold what was written, for copying rows whatever columns a schema has.
struct TableColumns {
  let names: [String]

  /// - Parameter others: Names of columns that mean something else in another library, or that triggers keep.
  init(of table: String, except others: Set<String>, _ db: Database) throws {
    names = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", arguments: [table]
    ).filter { !others.contains($0) }
  }

  var list: String { names.joined(separator: ", ") }

  /// As many parameters.
  var parameters: String { names.map { _ in "?" }.joined(separator: ", ") }

  var assignments: String { names.map { "\($0) = ?" }.joined(separator: ", ") }

  func index(of name: String) -> Int? { names.firstIndex(of: name) }

  /// The values of these columns, which begin at an index of a row.
  func values(_ row: Row, from start: Int) throws -> [DatabaseValue] { try names.indices.map { try row[start + $0] } }
}
