internal import GRDB
internal import MediaModel

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
    if !isTrusted {
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA trusted_schema = OFF") }
    }
    let queue = try path.map { try DatabaseQueue(path: $0, configuration: configuration) } ?? DatabaseQueue()
    defer { queue.keepWithoutThreads() }
    let value = try body(queue)
    try queue.close()
    return value
  }

  /// To be called before the last reference goes: Dispatch gives up a queue on a thread of its own, so where none can be
  /// had the connection stays.
  func keepWithoutThreads() {
    if !ThreadSupply.isThere { _ = Unmanaged.passRetained(self) }
  }
}
