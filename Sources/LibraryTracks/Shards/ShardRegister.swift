package import Base
internal import Foundation
internal import Glibc
internal import LibraryDatabase
internal import MediaModel
package import MediaStore
internal import UserData

/// Which libraries keep the products that a catalogue lacks: an SQLite file beside it, `music.shards` for
/// `music.sqlite`.
///
/// A shard is registered by its content: the mark of its last transaction, so that a shard that was written to since is
/// not believed, and the hashes of its recordings, which lead to their shard. Where the shard is comes third, and may
/// change. The register can be deleted at any time; `add` makes it again.
package final class ShardRegister: Sendable {
  private static let applicationID = 0x4457_5348  // "DWSH"
  private static let schema = """
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = 1;
    CREATE TABLE shard (
      id   INTEGER PRIMARY KEY,
      mark BLOB NOT NULL UNIQUE CHECK (length(mark) = 16),
      path BLOB NOT NULL,
      recording_count INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE recording (
      hash     BLOB NOT NULL CHECK (length(hash) = 16),
      shard_id INTEGER NOT NULL REFERENCES shard (id) ON DELETE CASCADE,
      PRIMARY KEY (hash, shard_id)
    ) STRICT, WITHOUT ROWID;
    """

  package let path: BytePath
  private let library: BytePath
  private let file: LibraryFile
  private let connection: DatabaseQueue

  /// The place of the register of a library.
  package static func path(ofLibraryAt path: BytePath) -> BytePath {
    let name = path.lastComponent.pathExtension.isEmpty ? path.lastComponent : path.lastComponent.stem
    return path.folder.appending(BytePath(name.bytes + Array(".shards".utf8)))
  }

  /// Opens the register of a library; creates one if that is wanted.
  ///
  /// - Returns: nil if there is none and none is to be created.
  package init?(ofLibraryAt library: BytePath, creating: Bool = false) throws(StoreError) {
    self.library = try LibraryPath.resolved(library)
    path = Self.path(ofLibraryAt: self.library)
    guard creating || LibraryPath.exists(path) else { return nil }
    if creating { try Self.createFile(at: path) }
    let file = try LibraryFile(at: path)
    self.file = file
    var configuration = Configuration()
    configuration.label = "shards"
    configuration.readonly = !file.isWritable
    configuration.busyMode = .timeout(10)
    do {
      connection = try DatabaseQueue.opened(at: file.pathForSQLite, configuration) { db in
        try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      }
      if creating {
        try connection.write { db in
          if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 { try db.execute(sql: Self.schema) }
        }
      }
      let version = try connection.read { db in
        try (Int.fetchOne(db, sql: "PRAGMA application_id"), Int.fetchOne(db, sql: "PRAGMA user_version"))
      }
      guard version == (Self.applicationID, 1) else {
        throw StoreError.shard(path, .register(reason: "it is another file, or from a newer version of the program"))
      }
    } catch {
      file.close()
      throw Self.error(error, file)
    }
  }

  /// Only its user may open it, as the library.
  private static func createFile(at path: BytePath) throws(StoreError) {
    let descriptor = path.withCString { Glibc.open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    if descriptor >= 0 {
      _ = Glibc.close(descriptor)
    } else if errno != EEXIST {
      throw .system(errno, "cannot create", at: path)
    }
  }

  private static func error(_ error: any Error, _ file: LibraryFile) -> StoreError {
    let error = StoreError(error, at: file)
    return switch error {
    case .corrupt(let path, let reason), .notALibrary(let path, let reason), .sql(let path, let reason, _):
      .shard(path, .register(reason: reason))
    default: error
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try connection.read(body) } catch { throw Self.error(error, file) }
  }

  private func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    guard file.isWritable else { throw .readOnly(path) }
    do { return try connection.write(body) } catch { throw Self.error(error, file) }
  }

  /// Whether another file, or none, has its name by now.
  var isReplaced: Bool { file.isReplaced }

  deinit {
    connection.closeOrLeak()
    file.close()
  }
}

// MARK: - Reading

extension ShardRegister {
  /// A shard as it was registered.
  struct Entry: Hashable {
    var path: BytePath
    var mark: Data
    var recordingCount: Int
  }

  private static func entry(_ row: Row) throws -> Entry {
    try Entry(path: BytePath(row["path"] as Data), mark: row["mark"], recordingCount: row["recording_count"])
  }

  /// The shards that have a recording, in the order in which they were registered.
  func entries(with recording: ShardedRecording) throws(StoreError) -> [Entry] {
    try read { db in
      var entries: [Entry] = []
      for hash in recording.hashes {
        entries += try Row.fetchAll(
          db.cachedStatement(
            sql: """
              SELECT path, mark, recording_count FROM recording JOIN shard ON shard.id = recording.shard_id
               WHERE hash = ? ORDER BY shard.id
              """), arguments: [hash]
        ).map(Self.entry)
      }
      return entries
    }
  }

  /// All shards, by path; each is opened to see whether it is at hand as it was registered.
  ///
  /// - Parameter isDeep: Whether to also compare the bytes of every product with its checksum.
  package func shards(isDeep: Bool = false) throws(StoreError) -> [Shard] {
    let entries = try read { db in
      try Row.fetchAll(db, sql: "SELECT path, mark, recording_count FROM shard ORDER BY path, id").map(Self.entry)
    }
    return entries.map { entry in
      var shard = Shard(path: entry.path, recordingCount: entry.recordingCount)
      do throws(StoreError) {
        let open = try OpenShard(at: entry.path, mark: entry.mark)
        if isDeep { shard.damagedProductCount = try open.damagedProductCount() }
      } catch {
        shard.problem = if case .shard(_, let problem) = error { problem } else { .unusable(reason: error.message) }
      }
      return shard
    }
  }
}

// MARK: - Writing

extension ShardRegister {
  /// Registers a library as it is now, in place of what was registered of its path or its content before. The shards of
  /// a library that is a catalogue itself are registered, too.
  ///
  /// - Returns: How many recordings with products it has.
  /// - Throws: ``StoreError/unsuitableShard(_:reason:)`` for a library that cannot be one.
  @discardableResult
  package func add(_ path: BytePath) throws(StoreError) -> Int {
    let path = try LibraryPath.resolved(path)
    try MediaStore.requireLibrary(at: path)
    let shard: OpenShard
    do { shard = try OpenShard(at: path) } catch {
      // It is none yet, so there is nothing to relocate or remove.
      guard case .shard(_, .unusable(let reason)) = error else { throw error }
      throw .unsuitableShard(path, reason: reason)
    }
    if let own = try? LibraryFile(at: library) {
      defer { own.close() }
      guard !shard.isSame(as: own) else { throw .sameLibrary(path) }
    }
    let count = try write { db in
      try db.execute(sql: "DELETE FROM shard WHERE path = ? AND mark <> ?", arguments: [path.data, shard.mark])
      return try register(path, shard.mark, db) { try shard.forEachRecording($0) }
    }
    if let other = try ShardRegister(ofLibraryAt: path) { try adopt(other) }
    return count
  }

  /// Takes over what another register knows.
  private func adopt(_ other: ShardRegister) throws(StoreError) {
    let entries = try other.read { db in
      try Row.fetchAll(db, sql: "SELECT id, path, mark, recording_count FROM shard ORDER BY id").map {
        try (id: $0[0] as Int64, Self.entry($0))
      }
    }
    for (id, entry) in entries {
      _ = try write { db in
        try register(entry.path, entry.mark, db) { body in
          try other.read { other in
            let hashes = try Data.fetchCursor(
              other, sql: "SELECT hash FROM recording WHERE shard_id = ? ORDER BY hash", arguments: [id])
            while let hash = try hashes.next() { try body(hash) }
          }
        }
      }
    }
  }

  /// - Parameter forEachHash: Calls its argument with each hash, in ascending order.
  private func register(
    _ path: BytePath, _ mark: Data, _ db: Database, forEachHash: ((Data) throws -> Void) throws -> Void
  ) throws -> Int {
    if let known = try Row.fetchOne(db, sql: "SELECT id, recording_count FROM shard WHERE mark = ?", arguments: [mark])
    {
      try db.execute(sql: "UPDATE shard SET path = ? WHERE id = ?", arguments: [path.data, known[0] as Int64])
      return try known[1]
    }
    try db.execute(
      sql: "INSERT INTO shard (mark, path, recording_count) VALUES (?, ?, 0)", arguments: [mark, path.data])
    let id = db.lastInsertedRowID
    let insert = try db.makeStatement(sql: "INSERT INTO recording (hash, shard_id) VALUES (?, ?)")
    var count = 0
    try forEachHash { hash in
      try insert.execute(arguments: [hash, id])
      count += 1
    }
    try db.execute(sql: "UPDATE shard SET recording_count = ? WHERE id = ?", arguments: [count, id])
    return count
  }

  /// Notes that shards are elsewhere now: one of them, or all in a folder.
  ///
  /// - Returns: How many were there.
  package func relocate(_ old: BytePath, to new: BytePath) throws(StoreError) -> Int {
    let (old, new) = (try LibraryPath.resolved(old), try LibraryPath.resolved(new))
    return try write { db in
      let found = try Self.shards(at: old, db)
      for (id, path) in found {
        let path = path == old ? new : new.appending(path.relative(to: old))
        try db.execute(sql: "UPDATE shard SET path = ? WHERE id = ?", arguments: [path.data, id])
      }
      return found.count
    }
  }

  /// Forgets a shard, or all in a folder; the shards themselves stay.
  ///
  /// - Returns: How many were there.
  package func remove(_ path: BytePath) throws(StoreError) -> Int {
    let path = try LibraryPath.resolved(path)
    return try write { db in
      let found = try Self.shards(at: path, db)
      for (id, _) in found { try db.execute(sql: "DELETE FROM shard WHERE id = ?", arguments: [id]) }
      return found.count
    }
  }

  private static func shards(at place: BytePath, _ db: Database) throws -> [(id: Int64, path: BytePath)] {
    try Row.fetchAll(db, sql: "SELECT id, path FROM shard ORDER BY id").map { row in
      try (id: row[0] as Int64, path: BytePath(row[1] as Data))
    }.filter { $0.path.isBelowOrEqual(to: place) }
  }
}

// MARK: - Its files

extension ShardRegister {
  /// Whether a path is that of a file that SQLite keeps beside a library, or of its shards, existing or not.
  package static func isCompanion(_ path: BytePath, ofLibraryAt library: BytePath) -> Bool {
    guard let path = try? LibraryPath.resolved(path), let library = try? LibraryPath.resolved(library) else {
      return false
    }
    let register = Self.path(ofLibraryAt: library)
    let database = LibraryPath.database(withLog: path).flatMap { try? LibraryPath.resolved($0) }
    return path == register || database == register || database == library
  }
}
