internal import Glibc
internal import GRDB
internal import MediaModel

/// A library that is made of what was saved: beside its place, under a name that is removed unless ``take()`` gave it the
/// right one.
final class RepairedLibrary {
  private let queue: DatabaseQueue
  private let path: BytePath
  private let target: BytePath
  /// Holds the lock that says that somebody is at work on it.
  private let file: LibraryFile

  init(for target: BytePath, _ catalog: LibraryCatalog) throws(StoreError) {
    self.target = target
    path = try LibraryLeftovers.reserve(for: target)
    file = try LibraryFile(at: path)
    do {
      _ = try file.tryLock(.scan)
      var configuration = Configuration()
      // Rows come before those that they refer to.
      configuration.foreignKeysEnabled = false
      queue = try DatabaseQueue.opened(at: file.pathForSQLite, configuration) { db in
        try db.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536")
      }
      try queue.writeWithoutTransaction { db in
        // A half-made file is worth nothing: what keeps it safe only costs time.
        try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        try Self.makeTables(catalog, db)
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

  private static func makeTables(_ catalog: LibraryCatalog, _ db: Database) throws {
    guard let statements = catalog.olderSchema else {
      return try db.execute(sql: String(decoding: PackageResources.schema_sql, as: UTF8.self))
    }
    try db.execute(
      sql: """
        PRAGMA page_size = \(BTreePage.size);
        PRAGMA application_id = \(LibraryHeader.applicationID);
        PRAGMA user_version = \(catalog.version)
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

  /// Brings an older schema up to date, and makes sure that all of it is on the disk.
  func finish() throws(StoreError) { try naming(migrateAndClose) }

  /// Names the place in an error, not the file that is to go there.
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

  /// The whole check, as `doctor --deep` does it.
  func check() throws(StoreError) -> LibraryCheck {
    let store = try MediaStore(at: path, access: .readOnly)
    defer { try? store.close() }
    return try store.check(isDeep: true)
  }

  /// Gives the library its name, unless something has that name by now.
  func take() throws(StoreError) {
    guard try LibraryBuilder.link(path, to: target) else { throw RepairedLibrary.exists(target) }
    try LibraryBuilder.synchronizeFolder(of: target)
  }

  static func exists(_ target: BytePath) -> StoreError {
    .inputOutput(target, reason: "is there already; a repair makes a new file")
  }
}
