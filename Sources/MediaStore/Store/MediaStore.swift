package import Base
internal import Foundation
internal import GRDBSQLite
package import LibraryDatabase
internal import Synchronization

/// A library: the one SQLite file that contains everything known about a collection, and the only access to it.
///
/// All methods may be called from any thread. Calls on one store wait for each other; other processes can read while
/// this one writes. Every write is one transaction under a lock that keeps the writers of all processes apart; it waits
/// for `timeout`, then throws ``StoreError/locked(_:byProcess:)``.
package final class MediaStore: Sendable {
  package enum Access: Sendable {
    /// Creates and changes nothing; works on read-only files, folders and file systems.
    case readOnly
    case readWrite
    /// Creates the library, and missing folders above it.
    case createIfMissing
  }

  package let library: LibraryFile
  package let connection: DatabaseQueue
  package let timeout: Duration
  package let canWrite: Bool
  /// Whether it is gone when it is closed: see ``temporary()``.
  package let isTemporary: Bool
  /// What `similar:`, `same:` and `is:duplicate` mean in queries.
  package let sounds: SoundFinders
  /// Why the library must not be written to under this name.
  private let alias: FileAlias?
  /// A sentence about each log that was not applied.
  private let foreignWAL: [String]
  /// Those of the connection.
  let logFiles: Mutex<LogFiles>
  /// SQLite's `schema_version` when the definitions were last compared with those of this program.
  let checkedSchema = Mutex<Int?>(nil)
  private let speaker: ConnectionSpeaker
  /// See ``attachment(_:)``.
  private let attachments = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// What may be wrong with what is read, for a person; empty for nearly every library.
  package var warnings: [String] { foreignWAL + (alias.map { [$0.warning] } ?? []) }

  /// The path of the library, without symbolic links.
  package var path: BytePath { library.path }

  /// Opens a library; migrates an older one if that is possible.
  ///
  /// A file that is not a library, has a damaged header or was made by a newer version is refused and left as it is.
  ///
  /// - Parameters:
  ///   - sounds: who compares sounds for queries.
  ///   - didMigrate: called with the path of the copy of an older library.
  package convenience init(
    at path: BytePath, access: Access, sounds: SoundFinders = SoundFinders(), didMigrate: (BytePath) -> Void = { _ in }
  ) throws(StoreError) {
    try self.init(at: path, access: access, timeout: .seconds(10), sounds: sounds, didMigrate: didMigrate)
  }

  /// - Parameters:
  ///   - timeout: how long a write waits for writes of other processes.
  ///   - isTemporary: whether the file loses its name while it is open.
  package init(
    at path: BytePath, access: Access, timeout: Duration, isTemporary: Bool = false,
    sounds: SoundFinders = SoundFinders(), didMigrate: (BytePath) -> Void = { _ in }
  ) throws(StoreError) {
    let path = try LibraryPath.resolved(path)
    foreignWAL = try Self.setForeignWALAside(beside: path, timeout: timeout)
    if access == .readOnly { try Self.bringUpToDate(path, timeout: timeout, didMigrate) }
    let library = try Self.open(path, access: access)
    self.library = library
    self.timeout = timeout
    canWrite = access != .readOnly
    self.isTemporary = isTemporary
    self.sounds = sounds
    let speaker = ConnectionSpeaker()
    self.speaker = speaker
    do {
      let header = try library.header()
      try WriteAheadLogOwnership.requireWholeFile(of: library)
      let location = try LibraryLocation(of: library, forWriting: canWrite)
      alias = location.alias
      if alias == nil { try LogFiles.requireUsed(beside: library, timeout: timeout) }
      connection = try Self.connection(location, of: speaker, timeout: timeout)
      logFiles = Mutex(LogFiles(beside: library))
      if canWrite { try prepare(header, didMigrate) }
      try checkVersion()
    } catch {
      library.close()
      throw StoreError(error, at: library)
    }
  }

  /// Whether opening the library would migrate it, because an older version of the program made it.
  package static func isOlder(at path: BytePath) throws(StoreError) -> Bool {
    let library = try LibraryFile(at: try LibraryPath.resolved(path))
    defer { library.close() }
    return try library.header().schemaVersion < LibraryHeader.currentVersion
  }

  /// The object of a type that a module above keeps with this open library, such as other files that belong to it; made when it
  /// is first asked for.
  package func attachment<Value: AnyObject & Sendable>(_ make: () -> Value) -> Value {
    attachments.withLock { attachments in
      if let known = attachments[ObjectIdentifier(Value.self)] as? Value { return known }
      let made = make()
      attachments[ObjectIdentifier(Value.self)] = made
      return made
    }
  }

  /// Whose decisions queries see, and whose a decision is that names nobody else: a `person.id`, in SQL `listener()`.
  package var personID: Int64 { speaker.personID }

  /// Calls `body`, in which the connection speaks for a person instead of the owner. Nobody else may use it meanwhile.
  ///
  /// - Parameter personID: 0 for somebody whom the library does not know, who has decided nothing.
  package func speaking<Value>(for personID: Int64, _ body: () throws -> Value) rethrows -> Value {
    let former = speaker.personID
    speaker.personID = personID
    defer { speaker.personID = former }
    return try body()
  }

  /// Ends the statement that runs, if one does: who called it gets an error. The next one is not concerned.
  package func interrupt() { connection.interrupt() }

  private static func setForeignWALAside(beside path: BytePath, timeout: Duration) throws(StoreError) -> [String] {
    guard LibraryPath.exists(path) else { return [] }
    let library = try LibraryFile(at: path)
    defer { library.close() }
    _ = try library.header()
    return try ForeignWAL.setAside(beside: library, timeout: timeout)
  }

  /// Queries need the current tables, so an older library is migrated even for reading.
  private static func bringUpToDate(
    _ path: BytePath, timeout: Duration, _ didMigrate: (BytePath) -> Void
  ) throws(StoreError) {
    let library = try LibraryFile(at: path)
    defer { library.close() }
    let found = try library.header().schemaVersion
    guard found < LibraryHeader.currentVersion else { return }
    guard library.isWritable, library.folderIsWritable else {
      throw .olderSchema(path, found: found, supported: LibraryHeader.currentVersion)
    }
    try MediaStore(at: path, access: .readWrite, timeout: timeout, didMigrate: didMigrate).close()
  }

  private static func open(_ path: BytePath, access: Access) throws(StoreError) -> LibraryFile {
    do {
      let library = try LibraryFile(at: path)
      if access != .readOnly && library.hasHardLink {
        // The process that created or replaced it was killed before it removed another name.
        LibraryLeftovers.removeAll(beside: path)
        LibraryLeftovers.removeFileAliases(of: library)
      }
      return library
    } catch .missingLibrary where access == .createIfMissing {
      try LibraryPath.requireOutput(path)
      try LibraryBuilder.create(at: path)
      return try LibraryFile(at: path)
    }
  }

  private static func connection(
    _ location: LibraryLocation, of speaker: ConnectionSpeaker, timeout: Duration
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "library"
    configuration.readonly = location.isReadOnly
    configuration.busyMode = .timeout(timeout / .seconds(1))
    return try DatabaseQueue.opened(at: location.path, configuration) { db in
      // Tables of the trigrams in the search index, for shorter words, and of the files that have them. The cache of 64
      // MiB is large enough to read the pages of 300,000 files only once.
      try db.execute(
        sql: """
          PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
          PRAGMA cache_size = -65536;
          CREATE VIRTUAL TABLE temp.search_run USING fts5vocab(main, search, row);
          CREATE VIRTUAL TABLE temp.search_hit USING fts5vocab(main, search, instance)
          """)
      for function in DatabaseFunction.all { db.add(function: function) }
      db.add(function: .listener { speaker.personID })
    }
  }

  /// Sets the journal mode that suits the file system if it was changed, and migrates an older library.
  private func prepare(_ header: LibraryHeader, _ didMigrate: (BytePath) -> Void) throws(StoreError) {
    let isOlder = header.schemaVersion < LibraryHeader.currentVersion
    let journalMode = library.journalMode
    guard isOlder || header.usesWriteAheadLog != (journalMode == "WAL") else { return }
    try underWriterLock { db in
      // Another process may have been faster.
      let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      let isOlder = (1..<LibraryHeader.currentVersion).contains(found)
      let copy = isOlder ? try LibraryCopy.keepBeforeMigration(of: path, from: found, db) : nil
      try db.execute(sql: "PRAGMA journal_mode = \(journalMode); PRAGMA synchronous = FULL")
      try db.inTransaction(.immediate) {
        try Migrations.run(db)
        // What an older version did not show: columns and constraints.
        let differences = try SchemaStructure.differences(db)
        guard !isOlder || differences.isEmpty else { throw StoreError.foreignSchema(differences, at: path) }
        return .commit
      }
      logFiles.withLock { $0 = LogFiles(beside: library) }
      if let copy { didMigrate(copy) }
    }
  }

  /// The header may be older than the contents of the write-ahead log.
  private func checkVersion() throws(StoreError) {
    let found = try read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    guard found <= LibraryHeader.currentVersion else {
      throw .newerSchema(library.path, found: found, supported: LibraryHeader.currentVersion)
    }
    guard found == LibraryHeader.currentVersion else {
      throw .olderSchema(library.path, found: found, supported: LibraryHeader.currentVersion)
    }
  }

  /// Closes the library: the write-ahead log is written back into the file, and all locks are released.
  ///
  /// No written data is lost if this throws; calling it twice is harmless.
  package func close() throws(StoreError) {
    // If another process holds the lock, it has the file open, and closing writes nothing here.
    let isLocked = library.isWritable && (try? library.lockForWriting(timeout: .seconds(1))) == true
    defer {
      if isLocked { library.unlock(.writer) }
      library.close()
    }
    do {
      if logFiles.withLock({ $0.areReplaced(beside: library) }) {
        // Writing this connection's log back would ruin what others wrote to theirs, and deleting it would lose that.
        connection.writeWithoutTransaction { $0.leaveLog() }
      }
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

extension MediaStore {
  /// An empty library that exists as long as it is open: its file has no name any more, so no crash leaves it behind.
  package static func temporary() throws(StoreError) -> MediaStore {
    let folder = FileManager.default.temporaryDirectory.appending(path: "deadwax-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    // SQLite opens its files at the first read, which is over when this returns.
    return try MediaStore(
      at: BytePath(folder.path).appending(BytePath("library.sqlite")), access: .createIfMissing,
      timeout: .seconds(10), isTemporary: true)
  }

  /// Bounds the memory of all connections of this process together; each may take 64 MiB otherwise.
  ///
  /// Beyond the bound a connection reads pages again, from the kernel's cache, instead of keeping more of them.
  package static func limitCaches(toByteCount count: Int) { sqlite3_soft_heap_limit64(Int64(count)) }

  /// The version of SQLite on this machine.
  package static var databaseVersion: String { String(cString: sqlite3_libversion()) }

  /// Whether there is any file at the path of a library.
  package static func exists(at path: BytePath) throws(StoreError) -> Bool {
    LibraryPath.exists(try LibraryPath.resolved(path))
  }

  /// - Throws: if the first bytes of the file show that it is not a library.
  package static func requireLibrary(at path: BytePath) throws(StoreError) {
    let file = try LibraryFile.other(at: try LibraryPath.resolved(path))
    defer { file.close() }
    _ = try file.header()
  }

  /// Writes a verified copy to a path where there is no file.
  package func copy(to path: BytePath) throws(StoreError) {
    try copying { try LibraryCopy(of: $0, for: path).take(keepingOlderAt: nil) }
  }

  /// Calls `body` with the connection outside of any transaction, for ``LibraryCopy``.
  package func copying<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try connection.writeWithoutTransaction(body) } catch { throw StoreError(error, at: library) }
  }
}

/// For whom a connection speaks; the owner at first.
private final class ConnectionSpeaker: Sendable {
  private let id = Atomic<Int64>(1)

  var personID: Int64 {
    get { id.load(ordering: .sequentiallyConsistent) }
    set { id.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
