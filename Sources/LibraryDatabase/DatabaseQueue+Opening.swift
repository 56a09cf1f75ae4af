internal import Base
internal import CPosix
package import GRDB
internal import GRDBSQLite
internal import MediaModel

/// Dispatch releases the queue of a connection on a thread of its own. Without memory for the thread's stack it waits
/// forever, without descriptors it traps. And a command that only reads should not wait for threads on a busy machine.
extension DatabaseQueue {
  /// The most bytes of a row or value that SQLite reads or writes: twice those of the largest product.
  package static let largestRowByteCount = Int(2 * ProductCoarseness.byteLimit)

  /// Opens a database while `body` runs.
  ///
  /// - Parameters:
  ///   - path: nil for one in memory.
  ///   - isTrusted: whether definitions in the file itself may call functions.
  /// - Throws: errors of closing too, because what was written may be lost then.
  package static func withDatabase<Value>(
    at path: String?, isReadOnly: Bool = false, isTrusted: Bool = true, _ body: (DatabaseQueue) throws -> Value
  ) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    let queue =
      if let path {
        try opened(at: path, configuration) { db in
          if !isTrusted { try db.execute(sql: "PRAGMA trusted_schema = OFF") }
        }
      } else {
        try DatabaseQueue()
      }
    defer { queue.closeOrLeak() }
    let value = try body(queue)
    try queue.close()
    return value
  }

  /// Opens a database, and calls `setUp` before anything else.
  ///
  /// GRDB releases a connection whose setup fails, which needs a thread.
  package static func opened(
    at path: String, _ configuration: Configuration, setUp: @escaping @Sendable (Database) throws -> Void
  ) throws -> DatabaseQueue {
    let reserve: ThreadReserve
    do throws(ThreadReserve.Shortage) { reserve = try ThreadReserve() } catch {
      switch error {
      case .descriptors: throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "too many open files")
      case .memory: throw DatabaseError(resultCode: .SQLITE_NOMEM)
      }
    }
    defer { reserve.release() }
    var configuration = configuration
    configuration.prepareDatabase { db in
      do {
        // Nobody writes to the schema or to shadow tables by SQL, whatever a library makes of a statement.
        if let connection = db.sqliteConnection { dw_make_defensive(UnsafeMutableRawPointer(connection)) }
        sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(largestRowByteCount))
        try setUp(db)
        // GRDB itself reads the file for the first time later, where errors cannot be caught.
        try db.execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
      } catch {
        reserve.release()
        _ = ThreadSupply.canStartThread
        throw error
      }
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Closes the connection if necessary; call this before the last reference is released.
  ///
  /// If Dispatch has no threads yet and none can be started, the object is leaked, which costs a few kilobytes.
  package func closeOrLeak() {
    try? close()
    if !ThreadSupply.canStillStartThread { _ = Unmanaged.passRetained(self) }
  }
}

extension Database {
  /// Lets closing the connection neither write the log back nor delete it.
  package func leaveLog() {
    if let sqliteConnection { dw_leave_log(UnsafeMutableRawPointer(sqliteConnection)) }
  }
}
