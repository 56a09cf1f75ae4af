internal import GRDB

/// The rows of a library that is merged into another, at one moment.
///
/// What goes wrong in reading them is an error of that library, also in the middle of a transaction of the other one.
struct SourceRows {
  private let db: Database
  private let library: LibraryFile

  init(_ db: Database, of library: LibraryFile) {
    self.db = db
    self.library = library
  }

  /// Calls `body` with each row; `body` may ask for other rows, but not by the same words.
  func forEach(_ sql: String, _ arguments: StatementArguments = [], _ body: (Row) throws -> Void) throws {
    let rows = try named { try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments) }
    while let row = try named({ try rows.next() }) { try body(row) }
  }

  func all(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try named { try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
  }

  func first(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try named { try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }
  }

  private func named<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do { return try body() } catch { throw StoreError(error, at: library) }
  }
}
