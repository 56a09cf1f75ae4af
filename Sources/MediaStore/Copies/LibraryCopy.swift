package import Base
internal import Glibc
package import LibraryDatabase

/// A verified copy of a library that has not reached its place yet.
///
/// It is one file beside that place. Its temporary name is removed unless ``take(keepingOlderAt:)`` moves it.
package final class LibraryCopy {
  package let path: BytePath
  /// Counted in the copy.
  package private(set) var rows = UserRows()
  /// Whether the library was older, so that its rows were of another schema.
  package private(set) var isMigrated = false
  private let target: BytePath
  /// Holds the lock that marks the file as being worked on.
  private let file: LibraryFile

  /// Copies the database in the state that a connection sees now, also while others write; checks the copy, and makes
  /// sure that it is on the disk.
  ///
  /// - Parameter db: outside of any transaction.
  package init(of db: Database, for target: BytePath) throws(StoreError) {
    self.target = target
    path = try LibraryLeftovers.reserve(for: target)
    file = try LibraryFile(at: path)
    do {
      _ = try file.tryLock(.scan)
      let before = try UserRows(db)
      try write(db)
      try verify(before, UserRows(db))
      try DatabaseQueue.withDatabase(at: file.pathForSQLite, isTrusted: false) { try $0.write(LogMark.renew) }
      try file.synchronize()
    } catch {
      throw StoreError(error, at: file).naming(target)
    }
  }

  deinit {
    LibraryLeftovers.remove(path)
    file.close()
  }

  /// Writes the copy without free pages. A library that SQLite must not write to is copied page by page, because SQLite
  /// 3.40 refuses to vacuum a database that is declared immutable and has generated columns.
  private func write(_ db: Database) throws {
    guard db.configuration.readonly else {
      return try db.execute(sql: "VACUUM INTO ?", arguments: [file.pathForSQLite])
    }
    try DatabaseQueue.withDatabase(at: file.pathForSQLite) { queue in
      try queue.writeWithoutTransaction { try db.backup(to: $0) }
    }
  }

  /// Reads the whole copy and checks that SQLite finds no damage and that all rows that users made are there.
  ///
  /// Rows that were wrong in the library do not count: a library that needs repair can be backed up, too.
  private func verify(_ before: UserRows, _ after: UserRows) throws {
    try DatabaseQueue.withDatabase(at: file.pathForSQLite, isReadOnly: true, isTrusted: false) { queue in
      try queue.read { db in
        if let reason = try DatabaseCheck.integrityProblems(db, atMost: 1).first {
          throw StoreError.corrupt(path, reason: reason)
        }
        rows = try UserRows(db)
        guard rows.lies(between: before, and: after) else {
          throw StoreError.corrupt(path, reason: "user data is missing from the copy")
        }
      }
    }
  }

  /// Reads the copy, before it is taken to its place.
  package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try DatabaseQueue.withDatabase(at: file.pathForSQLite, isReadOnly: true, isTrusted: false) {
        try $0.read(body)
      }
    } catch {
      throw StoreError(error, at: file).naming(target)
    }
  }

  /// Migrates the copy of an older library.
  func bringUpToDate() throws(StoreError) {
    do {
      try DatabaseQueue.withDatabase(at: file.pathForSQLite) { queue in
        try queue.write { db in
          try SchemaStructure.requireNothingForeign(db, in: target)
          isMigrated = try Migrations.run(db)
          try SchemaStructure.requireNothingForeign(db, in: target)
        }
      }
      try file.synchronize()
    } catch {
      throw StoreError(error, at: file).naming(target)
    }
  }

  /// Gives the copy the owner, group and mode of the library that it will replace, as far as this process may: `sudo
  /// deadwax restore` must not lock the user out.
  package func takeOver(ownerAndModeOf library: LibraryFile) throws(StoreError) {
    do { try file.takeOver(ownerAndModeOf: library) } catch { throw error.naming(target) }
  }

  /// Moves the copy to its place in one step: other processes see the old file or the new one.
  ///
  /// - Parameter older: the new path of the file that is there; nil to replace it.
  /// - Throws: if the present file is not a regular file, or has a log beside it, which SQLite would apply to the copy.
  package func take(keepingOlderAt older: BytePath?) throws(StoreError) {
    if LibraryPath.exists(target) {
      try Self.requireReplaceable(target)
      if let older { try Self.giveFileAlias(to: target, older) }
    }
    let code = path.withCString { from in target.withCString { rename(from, $0) } } == 0 ? 0 : errno
    guard code == 0 else {
      // Without hard links the older one has only the new name.
      if let older, !LibraryPath.exists(target) {
        _ = older.withCString { from in target.withCString { rename(from, $0) } }
      }
      throw .system(code, "cannot create", at: target)
    }
    try LibraryPath.synchronizeFolder(of: target)
  }

  /// - Throws: if the file is not a regular file, or has a log beside it.
  package static func requireReplaceable(_ path: BytePath) throws(StoreError) {
    let present = try LibraryFile(at: path, forWriting: false)
    defer { present.close() }
    guard present.logs.isEmpty else {
      throw .inputOutput(path, reason: "in use, or the last process that used it was killed: its log is next to it")
    }
  }

  /// Makes a link, so that the first name always leads to a file; moves the file if the file system has no links.
  private static func giveFileAlias(to path: BytePath, _ name: BytePath) throws(StoreError) {
    _ = name.withCString { unlink($0) }
    if path.withCString({ from in name.withCString { link(from, $0) } }) == 0 { return }
    guard path.withCString({ from in name.withCString { rename(from, $0) } }) == 0 else {
      throw .system(errno, "cannot keep the older one", at: path)
    }
  }
}

extension LibraryCopy {
  /// A migrated copy of an undamaged library of this version or an older one.
  ///
  /// - Parameter location: how to open the library, which stays as it is.
  package static func upToDate(
    of library: LibraryFile, at location: LibraryLocation, for target: BytePath
  ) throws(StoreError) -> LibraryCopy {
    do {
      _ = try library.header()
      try ForeignWAL.refuse(beside: library)
      try WriteAheadLogOwnership.requireWholeFile(of: library)
      let copy = try DatabaseQueue.withDatabase(
        at: location.path, isReadOnly: location.isReadOnly, isTrusted: false
      ) { queue in
        try queue.writeWithoutTransaction { db in
          // The header may be older than the contents of the log.
          let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
          guard version <= LibraryHeader.currentVersion else {
            throw StoreError.newerSchema(library.path, found: version, supported: LibraryHeader.currentVersion)
          }
          if let reason = try DatabaseCheck.integrityProblems(db, atMost: 1).first {
            throw StoreError.corrupt(library.path, reason: reason)
          }
          try SchemaStructure.requireNothingForeign(db, in: library.path)
          return try LibraryCopy(of: db, for: target)
        }
      }
      try copy.bringUpToDate()
      return copy
    } catch {
      throw StoreError(error, at: library)
    }
  }
}

extension LibraryCopy {
  /// Keeps a copy beside a library before its schema changes: `library.sqlite.schema-3`.
  ///
  /// An older copy of that name stays if it has more rows that users made; then the name is
  /// `library.sqlite.schema-3-2`, and so on.
  ///
  /// - Parameter library: The path of the library that `db` is connected to.
  /// - Returns: The path of the copy.
  static func keepBeforeMigration(of library: BytePath, from version: Int, _ db: Database) throws -> BytePath {
    let rows = try UserRows(db)
    func isFree(_ path: BytePath) -> Bool {
      guard LibraryPath.exists(path) else { return true }
      guard let kept = try? LibraryBackup.Contents(of: path) else { return false }
      return rows.losses(against: kept.rows).isEmpty
    }
    let first = BytePath(library.bytes + Array(".schema-\(version)".utf8))
    var (path, number) = (first, 1)
    while !isFree(path) {
      number += 1
      path = BytePath(first.bytes + Array("-\(number)".utf8))
    }
    try LibraryCopy(of: db, for: path).take(keepingOlderAt: nil)
    return path
  }
}
