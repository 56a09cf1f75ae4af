internal import GRDB
package import MediaModel

/// A library: the one SQLite file that holds everything known about a collection, and the only way to it.
///
/// All methods may be called from any thread; calls on one store wait for each other, and other processes read while
/// this one writes. Every write is one transaction, under a lock that keeps writers of all processes apart; it waits for
/// `patience`, then throws ``StoreError/locked(_:byProcess:)``.
package final class MediaStore: Sendable {
  package enum Access: Sendable {
    /// Creates nothing, changes nothing; works on read-only files, folders and file systems.
    case readOnly
    case readWrite
    /// Makes the library, and the folders above it, where there is none.
    case createIfMissing
  }

  let library: LibraryFile
  let connection: DatabaseQueue
  let patience: Duration
  let canWrite: Bool

  /// Where the library lies, without symbolic links.
  package var path: BytePath { library.path }

  /// Opens a library, and brings an older one up to date where that is allowed.
  ///
  /// Whatever is not a library, damaged in its header or made by a newer version is refused and left as it is.
  ///
  /// - Parameter didMigrate: Hears where an older library is kept as it was.
  package convenience init(
    at path: BytePath, access: Access, didMigrate: (BytePath) -> Void = { _ in }
  ) throws(StoreError) {
    try self.init(at: path, access: access, patience: .seconds(10), didMigrate: didMigrate)
  }

  /// - Parameter patience: how long a write waits for those of other processes.
  package init(
    at path: BytePath, access: Access, patience: Duration, didMigrate: (BytePath) -> Void = { _ in }
  ) throws(StoreError) {
    let path = try LibraryPath.resolved(path)
    if access == .readOnly { try Self.bringUpToDate(path, patience: patience, didMigrate) }
    let library = try Self.open(path, access: access)
    self.library = library
    self.patience = patience
    canWrite = access != .readOnly
    do {
      let header = try library.header()
      try WriteAheadLogOwnership.requireOwnLog(of: library)
      let location = try LibraryLocation(of: library, forWriting: canWrite)
      connection = try Self.connection(location, patience: patience)
      if canWrite { try prepare(header, didMigrate) }
      try checkVersion()
    } catch {
      library.close()
      throw StoreError(error, at: library)
    }
  }

  /// Whether whoever opens a library has it brought up to date, because an older version of the program made it.
  package static func isOlder(at path: BytePath) throws(StoreError) -> Bool {
    let library = try LibraryFile(at: try LibraryPath.resolved(path))
    defer { library.close() }
    return try library.header().schemaVersion < Migrations.currentVersion
  }

  /// Queries are about the tables of today: an older library is brought up to date before it is read.
  private static func bringUpToDate(
    _ path: BytePath, patience: Duration, _ didMigrate: (BytePath) -> Void
  ) throws(StoreError) {
    let library = try LibraryFile(at: path)
    defer { library.close() }
    let found = try library.header().schemaVersion
    guard found < Migrations.currentVersion else { return }
    guard library.isWritable, library.folderIsWritable else {
      throw .olderSchema(path, found: found, supported: Migrations.currentVersion)
    }
    try MediaStore(at: path, access: .readWrite, patience: patience, didMigrate: didMigrate).close()
  }

  private static func open(_ path: BytePath, access: Access) throws(StoreError) -> LibraryFile {
    do {
      let library = try LibraryFile(at: path)
      // Whoever made it was killed before it took the first name away.
      if access != .readOnly && library.hasSecondName { LibraryLeftovers.removeAll(beside: path) }
      return library
    } catch .missingLibrary where access == .createIfMissing {
      try LibraryBuilder.create(at: path)
      return try LibraryFile(at: path)
    }
  }

  private static func connection(_ location: LibraryLocation, patience: Duration) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "library"
    configuration.readonly = location.isReadOnly
    configuration.busyMode = .timeout(patience / .seconds(1))
    return try DatabaseQueue.opened(at: location.path, configuration) { db in
      // The runs of three characters that the search index knows, for words that are shorter, and in which files.
      // A cache of 64 MiB: the pages of 300,000 files are read once, not again and again.
      try db.execute(
        sql: """
          PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
          PRAGMA cache_size = -65536;
          CREATE VIRTUAL TABLE temp.search_run USING fts5vocab(main, search, row);
          CREATE VIRTUAL TABLE temp.search_hit USING fts5vocab(main, search, instance)
          """)
      db.add(function: .fold)
      db.add(function: .number)
      db.add(function: .spectrumLevel)
    }
  }

  /// Sets the journal that suits the file system if somebody changed that, and migrates the library if it is older.
  private func prepare(_ header: LibraryHeader, _ didMigrate: (BytePath) -> Void) throws(StoreError) {
    let isOlder = header.schemaVersion < Migrations.currentVersion
    let journalMode = library.journalMode
    guard isOlder || header.usesWriteAheadLog != (journalMode == "WAL") else { return }
    try underWriterLock { db in
      // Another process may have been faster.
      let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      let copy = (1..<Migrations.currentVersion).contains(found) ? try keepBeforeMigration(from: found, db) : nil
      try db.execute(sql: "PRAGMA journal_mode = \(journalMode); PRAGMA synchronous = FULL")
      try db.inTransaction(.immediate) {
        try Migrations.run(db)
        return .commit
      }
      if let copy { didMigrate(copy) }
    }
  }

  /// The header may be older than what the write-ahead log holds.
  private func checkVersion() throws(StoreError) {
    let found = try read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    guard found <= Migrations.currentVersion else {
      throw .newerSchema(library.path, found: found, supported: Migrations.currentVersion)
    }
    guard found == Migrations.currentVersion else {
      throw .olderSchema(library.path, found: found, supported: Migrations.currentVersion)
    }
  }

  /// Ends all use of the library: the write-ahead log goes back into the one file, all locks are given up.
  ///
  /// Nothing that was written is lost if this throws; calling it twice is harmless.
  package func close() throws(StoreError) {
    // Where another process keeps the lock, that process has the file open, so that our closing writes nothing.
    let isLocked = library.isWritable && (try? library.lock(.writer, patience: .seconds(1))) == true
    defer {
      if isLocked { library.unlock(.writer) }
      library.close()
    }
    do {
      try connection.close()
    } catch {
      throw StoreError(error, at: library)
    }
  }

  deinit {
    try? close()
    connection.closeOrLeak()
  }
}
