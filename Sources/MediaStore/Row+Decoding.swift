internal import Foundation
internal import GRDB
internal import Glibc
internal import Synchronization

/// Values that are not of the kind that is asked for, as only a damaged file has them: SQLite does not compare what it reads
/// with what a table declares, and GRDB's own subscripts end the process.
enum DecodingWatch {
  private static let threads = Mutex<Set<pthread_t>>([])

  /// Calls `body`, and throws if it met such a value.
  static func watching<Value>(_ body: () throws -> Value) throws -> Value {
    defer { _ = threads.withLock { $0.remove(pthread_self()) } }
    let value = try body()
    if threads.withLock({ $0.contains(pthread_self()) }) {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a value is not of the kind that its column has")
    }
    return value
  }

  /// Anything of the type, so that ``watching(_:)`` can throw a moment later.
  fileprivate static func anything<Value: DatabaseValueConvertible>(_ error: any Error) -> Value {
    threads.withLock { _ = $0.insert(pthread_self()) }
    for value in [DatabaseValue.null, 0.databaseValue, "".databaseValue, Data().databaseValue] {
      if let value = Value.fromDatabaseValue(value) { return value }
    }
    preconditionFailure("\(Value.self) is of none of SQLite's kinds: \(error)")
  }
}

/// These hide GRDB's own in this module.
extension Row {
  subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    do { return try decode(Value.self, atIndex: index) } catch { return DecodingWatch.anything(error) }
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) -> Value {
    do { return try decode(Value.self, atIndex: index) } catch { return DecodingWatch.anything(error) }
  }

  subscript<Value: DatabaseValueConvertible>(_ columnName: String) -> Value {
    do { return try decode(Value.self, forColumn: columnName) } catch { return DecodingWatch.anything(error) }
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ columnName: String) -> Value {
    do { return try decode(Value.self, forColumn: columnName) } catch { return DecodingWatch.anything(error) }
  }
}
