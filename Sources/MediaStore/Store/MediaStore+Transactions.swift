internal import Glibc
package import LibraryDatabase
internal import Synchronization

extension MediaStore {
  /// How safe a transaction is if the power fails right after it.
  package enum Durability: String {
    /// It may be lost, but the library is consistent: for data that a scan can find again.
    case batch = "NORMAL"
    /// It is on the disk: for rows that a user made.
    case durable = "FULL"
  }

  /// Reads a consistent state of the library.
  package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try connection.read(body)
    } catch {
      throw StoreError(error, at: library)
    }
  }

  /// Writes in one transaction: all of it, or nothing if `body` throws.
  package func write<Value>(_ durability: Durability, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try transact(durability, .commit, body)
  }

  /// Does what a change would do, and takes it back.
  ///
  /// - Returns: What `body` returns, such as a report.
  package func rehearse<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try transact(.batch, .rollback, body)
  }

  private func transact<Value>(
    _ durability: Durability, _ completion: Database.TransactionCompletion, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    guard canWrite else { throw .readOnly(library.path) }
    return try underWriterLock { db in
      guard isTemporary || library.hasName else {
        throw StoreError.inputOutput(library.path, reason: "deleted or renamed in the meantime; nothing was changed")
      }
      try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
      var value: Value?
      try db.inTransaction(.immediate) {
        // Nobody can change it from here on.
        try requireOwnSchema(db)
        try requireOwnLogFiles("nothing was changed")
        let changeCount = db.totalChangesCount
        value = try body(db)
        guard completion == .commit else { return completion }
        if db.totalChangesCount != changeCount {
          try CorrectionWriter.settle(db)
          // What a scan writes in parts, it completes when it ends.
          try settleAlbums(db, isScanning: durability == .batch || library.isScanning)
          try LogMark.advance(db)
        }
        return completion
      }
      try requireOwnLogFiles("this change may be lost")
      guard let value else { throw StoreError.sql(library.path, message: "a transaction gave nothing", statement: nil) }
      return value
    }
  }

  /// Brings albums up to date within a transaction, see ``AlbumWriter``.
  ///
  /// - Parameter isScanning: Whether more files are to come; nil if that depends on whether anybody scans.
  package func settleAlbums(_ db: Database, isScanning: Bool? = nil) throws {
    try AlbumWriter.settle(db, isScanning: isScanning ?? library.isScanning)
  }

  /// Writes one of many parts of a long operation in a transaction of its own, then lets somebody go first who waits.
  package func writePart<Value>(_ durability: Durability, _ body: (Database) throws -> Value) throws(StoreError)
    -> Value
  {
    let value = try write(durability, body)
    // Who waits tries the lock twice in this time.
    if library.isLockedElsewhere(.turn) { usleep(UInt32(LibraryFile.longestPause * 2 / .microseconds(1))) }
    return value
  }

  /// The most rows of a part, so that nobody waits longer than some tenths of a second for it.
  package static let partRowCount = 250

  package static func parts(of ids: [Int64], rowCount: Int = partRowCount) -> [[Int64]] {
    stride(from: 0, to: ids.count, by: rowCount).map { Array(ids[$0..<min($0 + rowCount, ids.count)]) }
  }

  /// Files in parts that take about as long to delete as ``partRowCount`` ordinary files, which have some 20 tags and 400
  /// bytes of text for searches.
  package func parts(ofFiles ids: [Int64]) throws(StoreError) -> [[Int64]] {
    try read { db in
      var parts: [[Int64]] = []
      var cost = 0
      for id in ids {
        let own = try Int.fetchOne(
          db.cachedStatement(
            sql: """
              SELECT 1 + (length(search_more) / 400 + (SELECT count(*) FROM tag WHERE file_id = file.id) / 20
                     + (SELECT count(*) FROM part WHERE file_id = file.id) / 20) / 4
                FROM file WHERE id = ?
              """), arguments: [id])
        cost += own ?? 1
        if parts.isEmpty || cost > Self.partRowCount {
          parts.append([])
          cost = own ?? 1
        }
        parts[parts.count - 1].append(id)
      }
      return parts
    }
  }

  /// Keeps writers and checkpoints of all processes apart: before SQLite 3.51.3, two at the same instant can damage the
  /// write-ahead log.
  package func underWriterLock<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try connection.writeWithoutTransaction { db in
        guard try library.lockForWriting(timeout: timeout) else {
          throw StoreError.locked(library.path, byProcess: library.lockingProcess())
        }
        defer { library.unlock(.writer) }
        guard !library.isReplaced else {
          throw StoreError.inputOutput(
            library.path, reason: "replaced by another library in the meantime; nothing was changed")
        }
        try requireOwnSchema(db)
        // Triggers maintain the search index, a virtual table, which SQLite 3.40 allows only in a trusted schema.
        try db.execute(sql: "PRAGMA trusted_schema = ON")
        defer { try? db.execute(sql: "PRAGMA trusted_schema = OFF") }
        return try body(db)
      }
    } catch {
      throw StoreError(error, at: library)
    }
  }

  /// Refuses to write to a library with triggers, constraints or other definitions that this program never made.
  ///
  /// The definitions are compared once, and again if anybody changed them since.
  private func requireOwnSchema(_ db: Database) throws {
    let cookie = try Int.fetchOne(db, sql: "PRAGMA schema_version")
    guard cookie != checkedSchema.withLock({ $0 }) else { return }
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    // A newer one is refused elsewhere, with its own words.
    guard version <= LibraryHeader.currentVersion else { return }
    let isOlder = version < LibraryHeader.currentVersion
    let differences = try isOlder ? SchemaStructure.foreignObjects(db) : SchemaStructure.differences(db)
    guard differences.isEmpty else { throw StoreError.foreignSchema(differences, at: library.path) }
    checkedSchema.withLock { $0 = isOlder ? nil : cookie }
  }

  private func requireOwnLogFiles(_ consequence: String) throws {
    // Its log files have no names, either.
    if isTemporary { return }
    try logFiles.withLock { $0 }.require(beside: library, consequence)
  }

  /// The present length of the write-ahead log.
  package var logByteCount: Int64 { library.writeAheadLogByteCount }

  /// SQLite's settings that matter for safety, for tests: journal mode, synchronous (of the last write), page size.
  package func settings() throws(StoreError) -> [String] {
    try read { db in
      try ["journal_mode", "synchronous", "page_size"].map { name in
        try String.fetchOne(db, sql: "PRAGMA \(name)") ?? ""
      }
    }
  }

  /// Seconds since 1970.
  package var now: Int64 { Int64(time(nil)) }
}
