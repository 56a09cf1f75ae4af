internal import GRDB
internal import MediaModel

/// Dispatch gives up the queue of a connection on a thread of its own. Without memory for its stack it waits for ever, and
/// without descriptors it traps; with both, a command that only reads would wait on a busy machine for its threads.
extension DatabaseQueue {
  /// Opens a database for as long as `body` runs.
  ///
  /// - Parameters:
  ///   - path: nil for one in memory.
  ///   - isTrusted: Whether what the file itself defines may run functions.
  /// - Throws: Also what closing meets: what was written may not be there then.
  static func withDatabase<Value>(
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

  /// Opens a database, and has `setUp` do what comes before everything else.
  ///
  /// GRDB gives up a connection that cannot be set up: the thread for that must be possible then.
  static func opened(
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
        try setUp(db)
        // GRDB's own first look at the file comes later, out of our sight.
        try db.execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
      } catch {
        reserve.release()
        _ = ThreadSupply.canStartThread
        throw error
      }
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// To be called before the last reference goes: closes the connection if that has not been done, and lets it stay, a few
  /// kilobytes, where Dispatch has no threads yet or none can be had.
  func closeOrLeak() {
    try? close()
    if !ThreadSupply.canStillStartThread { _ = Unmanaged.passRetained(self) }
  }
}
