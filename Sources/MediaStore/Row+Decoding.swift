internal import GRDB

/// These hide GRDB's own in this module, which end the process at a value that is not of the kind that is asked for: SQLite
/// does not compare what it reads with what a table declares, and a damaged file has anything.
///
/// Throws: `RowDecodingError`.
extension Row {
  subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    get throws { try decode(Value.self, atIndex: index) }
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) -> Value {
    get throws { try decode(Value.self, atIndex: index) }
  }

  subscript<Value: DatabaseValueConvertible>(_ columnName: String) -> Value {
    get throws { try decode(Value.self, forColumn: columnName) }
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ columnName: String) -> Value {
    get throws { try decode(Value.self, forColumn: columnName) }
  }
}
