internal import Base
internal import Glibc
internal import LibraryDatabase
internal import MediaStore

/// The new library of a repair.
///
/// It is written beside its place. Its temporary name is removed unless ``take()`` moves it.
final class RepairedLibrary {
  private let queue: DatabaseQueue
  private let path: BytePath
  private let target: BytePath
  /// Holds the lock that marks the file as being worked on.
  private let file: LibraryFile

  init(for target: BytePath, _ schemaTable: SchemaTable) throws(StoreError) {
    self.target = target
    path = try LibraryLeftovers.reserve(for: target)
    file = try LibraryFile(at: path)
    do {
      _ = try file.tryLock(.scan)
      var configuration = Configuration()
      // Rows are inserted before the rows that they refer to.
      configuration.foreignKeysEnabled = false
      queue = try DatabaseQueue.opened(at: file.pathForSQLite, configuration) { db in
        try db.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536")
      }
      try queue.writeWithoutTransaction { db in
        // An unfinished file is worthless, so it need not be safe.
        try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        try Self.makeTables(schemaTable, db)
      }
    } catch {
      throw StoreError(error, at: file).naming(target)
    }
  }

  deinit {
    queue.closeOrLeak()
    LibraryLeftovers.remove(path)
    file.close()
  }

  private static func makeTables(_ schemaTable: SchemaTable, _ db: Database) throws {
    guard let statements = schemaTable.olderSchema else {
      return try db.execute(sql: LibrarySchema.script)
    }
    try db.execute(
      sql: """
        PRAGMA page_size = \(BTreePage.size);
        PRAGMA application_id = \(LibraryHeader.applicationID);
        PRAGMA user_version = \(schemaTable.version)
        """)
    for statement in statements { try db.execute(sql: statement) }
  }

  /// Fills the library in one transaction.
  func fill(_ body: (Database) throws -> Void) throws(StoreError) {
    try naming {
      try queue.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          try body(db)
          return .commit
        }
      }
    }
  }

  /// Migrates an older schema, and makes sure that everything is on the disk.
  func finish() throws(StoreError) { try naming(migrateAndClose) }

  /// Makes errors name the target, not the temporary file.
  private func naming(_ body: () throws -> Void) throws(StoreError) {
    do { try body() } catch { throw StoreError(error, at: file).naming(target) }
  }

  private func migrateAndClose() throws {
    try queue.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try Migrations.run(db)
        return .commit
      }
      try db.execute(sql: "PRAGMA journal_mode = \(file.journalMode)")
    }
    try queue.close()
    try file.synchronize()
  }

  /// Checks the whole library, including bytes and search index.
  func check() throws(StoreError) -> LibraryCheck {
    let store = try MediaStore(at: path, access: .readOnly)
    defer { try? store.close() }
    return try store.check(isDeep: true)
  }

  /// Moves the library to its place, unless there is a file by now.
  func take() throws(StoreError) {
    guard try LibraryPath.link(path, to: target) else { throw RepairedLibrary.exists(target) }
    try LibraryPath.synchronizeFolder(of: target)
  }

  static func exists(_ target: BytePath) -> StoreError {
    .outputExists(target, reason: "a repair creates a new file")
  }
}
