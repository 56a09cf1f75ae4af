internal import Foundation
internal import GRDB
internal import GRDBSQLite
package import MediaModel

/// One row of a list, valid until the next: its values are read where SQLite has them, without a copy.
package struct ListRow {
  package let fields: [QueryField]
  private let statement: OpaquePointer

  /// What the receiver of rows threw.
  struct Stop: Error {
    let reason: any Error
  }

  /// Calls `body` with each row until it returns false.
  ///
  /// - Throws: SQLite's errors as they are, those of `body` as ``Stop``.
  static func forEach(
    of planned: QueryPlan.Statement, fields: [QueryField], in db: Database, _ body: (ListRow) throws -> Bool
  ) throws {
    let prepared = try db.makeStatement(sql: planned.sql)
    prepared.arguments = StatementArguments(planned.arguments)
    // The arguments are bound when the statement is run by its owner; here they are bound by hand.
    let statement = prepared.sqliteStatement
    for (index, value) in planned.arguments.enumerated() {
      try Self.bind(value?.databaseValue ?? .null, Int32(index + 1), statement, db)
    }
    defer { sqlite3_reset(statement) }
    let row = ListRow(fields: fields, statement: statement)
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw Self.error(code, planned.sql, db) }
      do {
        guard try body(row) else { return }
      } catch {
        throw Stop(reason: error)
      }
    }
  }

  private static func error(_ code: Int32, _ sql: String, _ db: Database) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: sql)
  }

  private static func bind(_ value: DatabaseValue, _ index: Int32, _ statement: OpaquePointer, _ db: Database) throws {
    // SQLite keeps a copy.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code: Int32 =
      switch value.storage {
      case .null: sqlite3_bind_null(statement, index)
      case .int64(let number): sqlite3_bind_int64(statement, index, number)
      case .double(let number): sqlite3_bind_double(statement, index, number)
      case .string(let text):
        Array(text.utf8).withUnsafeBytes { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(statement, index, $0.baseAddress ?? emptyText, Int32($0.count), transient)
          }
        }
      case .blob(let data):
        data.withUnsafeBytes { sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), transient) }
      }
    guard code == SQLITE_OK else { throw error(code, "", db) }
  }

  /// A pointer of NULL would bind NULL.
  nonisolated(unsafe) private static let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.pointee = 0
    return UnsafePointer(text)
  }()

  // MARK: - Values

  package enum Cell {
    case none
    case integer(Int64)
    case real(Double)
    /// UTF-8, unless it is a path.
    case bytes(UnsafeRawBufferPointer, isPath: Bool)
    /// Seconds since 1970.
    case instant(Int64)
  }

  package func cell(_ index: Int) -> Cell {
    let column = Int32(index)
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER:
      let number = sqlite3_column_int64(statement, column)
      return switch fields[index].kind {
      case .instant: .instant(number)
      case .real, .duration: .real(Double(number))
      default: .integer(number)
      }
    case SQLITE_FLOAT:
      let number = sqlite3_column_double(statement, column)
      guard fields[index].kind == .instant else { return .real(number) }
      return Int64(exactly: number.rounded(.down)).map { .instant($0) } ?? .none
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, column)
      return .bytes(
        UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))), isPath: false)
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      return .bytes(
        UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))), isPath: true)
    default: return .none
    }
  }

  package func value(_ index: Int) -> FieldValue {
    switch cell(index) {
    case .none: .none
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .bytes(let bytes, true): .path(BytePath(bytes))
    case .bytes(let bytes, false): .text(String(decoding: bytes, as: UTF8.self))
    case .instant(let seconds): .instant(seconds)
    }
  }

  package var values: [FieldValue] { fields.indices.map(value) }
}
