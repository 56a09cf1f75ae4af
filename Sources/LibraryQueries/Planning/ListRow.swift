package import Base
internal import Foundation
internal import GRDBSQLite
package import LibraryDatabase
internal import MediaStore
package import QueryLanguage
internal import UserData

/// One row of a list, whose values are read directly from SQLite, without a copy.
///
/// The closure that receives it borrows it: it cannot be copied or kept, because the next row takes its place.
package struct ListRow: ~Copyable {
  package let fields: [QueryField]
  private let statement: OpaquePointer

  /// An error that the closure threw.
  package struct Stop: Error {
    package let reason: any Error
  }

  /// Calls `body` with each row until it returns false.
  ///
  /// - Throws: SQLite's errors as they are, and errors of `body` as ``Stop``.
  package static func forEach(
    of planned: QueryPlan.Statement, fields: [QueryField], in db: Database, _ body: (borrowing ListRow) throws -> Bool
  ) throws {
    let prepared = try db.makeStatement(sql: planned.sql)
    prepared.arguments = StatementArguments(planned.arguments)
    // GRDB binds the arguments when it runs a statement itself; here the statement is run by hand.
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
    // SQLITE_TRANSIENT: SQLite keeps a copy.
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

  /// For empty texts: a null pointer would bind NULL.
  nonisolated(unsafe) private static let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.pointee = 0
    return UnsafePointer(text)
  }()

  // MARK: - Values

  /// The value of one field; the bytes of texts and paths are read with ``withBytes(_:_:)``.
  package enum Cell: Equatable {
    case none
    case integer(Int64)
    case real(Double)
    /// UTF-8.
    case text
    /// Bytes in any encoding.
    case path
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
      case .real, .tempo, .duration: .real(Double(number))
      default: .integer(number)
      }
    case SQLITE_FLOAT:
      let number = sqlite3_column_double(statement, column)
      guard fields[index].kind == .instant else { return .real(number) }
      return Int64(exactly: number.rounded(.down)).map { .instant($0) } ?? .none
    case SQLITE_TEXT: return .text
    case SQLITE_BLOB: return .path
    default: return .none
    }
  }

  /// Calls `body` with the bytes of a ``Cell/text`` or ``Cell/path``, which are empty for any other value.
  package func withBytes<Result, Failure: Error>(
    _ index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let column = Int32(index)
    let bytes: UnsafeRawPointer? =
      switch sqlite3_column_type(statement, column) {
      case SQLITE_TEXT: UnsafeRawPointer(sqlite3_column_text(statement, column))
      case SQLITE_BLOB: sqlite3_column_blob(statement, column)
      default: nil
      }
    // SQLite requires that the length is read after the pointer.
    let count = bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
    let buffer = UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
    return try body(buffer.span)
  }

  package func value(_ index: Int) -> FieldValue {
    switch cell(index) {
    case .none: .none
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .path: .path(withBytes(index) { bytes in bytes.withUnsafeBufferPointer { BytePath($0) } })
    case .text:
      .text(withBytes(index) { bytes in bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } })
    case .instant(let seconds): .instant(seconds)
    }
  }

  package var values: [FieldValue] {
    var values: [FieldValue] = []
    values.reserveCapacity(fields.count)
    for index in fields.indices { values.append(value(index)) }
    return values
  }
}

/// The value of one field in one row of a list.
package enum FieldValue: Hashable, Sendable {
  case none
  case text(String)
  case integer(Int64)
  case real(Double)
  case path(BytePath)
  /// Seconds since 1970.
  case instant(Int64)

  /// The members of a JSON object: one, or two for a path that is not UTF-8.
  package func members(key: String) -> [JSONValue.Member] {
    switch self {
    case .none: [.init(key, .null)]
    case .text(let text): [.init(key, .string(text))]
    case .integer(let number): [.init(key, .integer(number))]
    case .real(let number): [.init(key, .number(number))]
    case .path(let path): JSONValue.path(path, key: key)
    case .instant(let seconds): [.init(key, .string(Timestamp(secondsSince1970: seconds).description))]
    }
  }
}
