package import Base
internal import Foundation
internal import GRDB
internal import MediaModel
internal import Synchronization

/// A library: the one SQLite file that contains everything known about a collection, and the only access to it.
///
/// All methods may be called from any thread. Calls on one store wait for each other; other processes can read while
/// this one writes. Every write is one transaction under a lock that keeps the writers of all processes apart; it waits
/// for `patience`, then throws ``StoreError/locked(_:byProcess:)``.
package final class MediaStore: Sendable {
  package enum Access: Sendable {
    /// Creates and changes nothing; works on read-only files, folders and file systems.
    case readOnly
    case readWrite
    /// Creates the library, and missing folders above it.
    case createIfMissing
  }

  let library: LibraryFile
  let connection: DatabaseQueue
  let patience: Duration
  let canWrite: Bool
  /// Whether it is gone when it is closed: see ``temporary()``.
  package let isTemporary: Bool
  /// Why the library must not be written to under this name.
  private let secondName: SecondName?
  /// A sentence about each log that was not applied.
  private let foreignLogs: [String]
  /// Those of the connection.
  let logFiles: Mutex<LogFiles>
  /// SQLite's `schema_version` when the definitions were last compared with those of this program.
  let checkedSchema = Mutex<Int?>(nil)
  let soundFinders = Mutex(SoundFinders())
  let shards = Mutex<ShardReader?>(nil)

  /// What may be wrong with what is read, for a person; empty for nearly every library.
  package var warnings: [String] { foreignLogs + (secondName.map { [$0.warning] } ?? []) }

  /// The path of the library, without symbolic links.
  package var path: BytePath { library.path }

  /// Opens a library; migrates an older one if that is possible.
  ///
  /// A file that is not a library, has a damaged header or was made by a newer version is refused and left as it is.
  ///
  /// - Parameter didMigrate: called with the path of the copy of an older library.
  package convenience init(
    at path: BytePath, access: Access, didMigrate: (BytePath) -> Void = { _ in }
  ) throws(StoreError) {
    try self.init(at: path, access: access, patience: .seconds(10), didMigrate: didMigrate)
  }

  /// - Parameters:
  ///   - patience: how long a write waits for writes of other processes.
  ///   - isTemporary: whether the file loses its name while it is open.
  package init(
    at path: BytePath, access: Access, patience: Duration, isTemporary: Bool = false,
    didMigrate: (BytePath) -> Void = { _ in }
  ) throws(StoreError) {
    let path = try LibraryPath.resolved(path)
    foreignLogs = try Self.setForeignLogsAside(beside: path, patience: patience)
    if access == .readOnly { try Self.bringUpToDate(path, patience: patience, didMigrate) }
    let library = try Self.open(path, access: access)
    self.library = library
    self.patience = patience
    canWrite = access != .readOnly
    self.isTemporary = isTemporary
    do {
      let header = try library.header()
      try WriteAheadLogOwnership.requireWholeFile(of: library)
      let location = try LibraryLocation(of: library, forWriting: canWrite)
      secondName = location.secondName
      if secondName == nil { try LogFiles.requireUsed(beside: library, patience: patience) }
      connection = try Self.connection(location, patience: patience)
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

  /// Ends the statement that runs, if one does: who called it gets an error. The next one is not concerned.
  package func interrupt() { connection.interrupt() }

  private static func setForeignLogsAside(beside path: BytePath, patience: Duration) throws(StoreError) -> [String] {
    guard LibraryPath.exists(path) else { return [] }
    let library = try LibraryFile(at: path)
    defer { library.close() }
    _ = try library.header()
    return try ForeignLogs.setAside(beside: library, patience: patience)
  }

  /// Queries need the current tables, so an older library is migrated even for reading.
  private static func bringUpToDate(
    _ path: BytePath, patience: Duration, _ didMigrate: (BytePath) -> Void
  ) throws(StoreError) {
    let library = try LibraryFile(at: path)
    defer { library.close() }
    let found = try library.header().schemaVersion
    guard found < LibraryHeader.currentVersion else { return }
    guard library.isWritable, library.folderIsWritable else {
      throw .olderSchema(path, found: found, supported: LibraryHeader.currentVersion)
    }
    try MediaStore(at: path, access: .readWrite, patience: patience, didMigrate: didMigrate).close()
  }

  private static func open(_ path: BytePath, access: Access) throws(StoreError) -> LibraryFile {
    do {
      let library = try LibraryFile(at: path)
      if access != .readOnly && library.hasHardLink {
        // The process that created or replaced it was killed before it removed another name.
        LibraryLeftovers.removeAll(beside: path)
        LibraryLeftovers.removeSecondNames(of: library)
      }
      return library
    } catch .missingLibrary where access == .createIfMissing {
      try LibraryPath.requireOutput(path)
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
      // Tables of the trigrams in the search index, for shorter words, and of the files that have them. The cache of 64
      // MiB is large enough to read the pages of 300,000 files only once.
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
      db.add(function: .tempoInRange)
      db.add(function: .editionFolder)
      db.add(function: .median)
      db.add(function: .shuffled)
      db.add(function: .crc32)
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
    let isLocked = library.isWritable && (try? library.lockForWriting(patience: .seconds(1))) == true
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

extension DatabaseFunction {
  /// `fold(text)`: the text without case and accents.
  static let fold = DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).map(TextFolding.fold)
  }

  /// `number(text)`: the number at the start of a tag, NULL if there is none.
  static let number = DatabaseFunction("number", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).flatMap(WrittenNumber.leading)
  }

  /// `edition_folder(path)`: the folder of a file, or the one around it if it is the folder of a disc.
  static let editionFolder = DatabaseFunction("edition_folder", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).map(AlbumEdition.folder)
  }

  /// `spectrum_level(bytes, band)`: the mean level of a band in dB, of the bytes of a spectrum.
  static let spectrumLevel = DatabaseFunction("spectrum_level", argumentCount: 2, pure: true) { values in
    guard let bytes = values.first.flatMap(Data.fromDatabaseValue), values.count == 2,
      let band = Int.fromDatabaseValue(values[1])
    else { return nil }
    return SpectrumSummary.meanLevel(ofBand: band, inBlob: bytes)
  }

  /// `tempo_in_range(bpm, lowest, highest)`: see ``TempoRange/moved(_:)``.
  static let tempoInRange = DatabaseFunction("tempo_in_range", argumentCount: 3, pure: true) { values in
    let numbers = values.compactMap(Double.fromDatabaseValue)
    guard numbers.count == 3, let range = TempoRange(numbers[1], numbers[2]) else { return nil }
    return range.moved(numbers[0])
  }

  static let median = DatabaseFunction("median", argumentCount: 1, pure: true, aggregate: Median.self)

  /// `shuffled(id, seed)`: a number that depends on both and seems random (SplitMix64), and differs for each id.
  static let shuffled = DatabaseFunction("shuffled", argumentCount: 2, pure: true) { values in
    guard let id = values.first.flatMap(Int64.fromDatabaseValue),
      let seed = values.last.flatMap(Int64.fromDatabaseValue)
    else { return nil }
    func mixed(_ number: UInt64) -> UInt64 {
      var bits = number
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    return Int64(bitPattern: mixed(UInt64(bitPattern: id) &+ mixed(UInt64(bitPattern: seed) &+ 0x9E37_79B9_7F4A_7C15)))
  }
}
