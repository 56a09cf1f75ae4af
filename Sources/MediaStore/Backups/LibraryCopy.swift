internal import Glibc
internal import GRDB
internal import MediaModel

/// A verified copy of a library on its way to its place: in one file, beside that place, under a name that is removed
/// unless ``take(keepingOlderAt:)`` gave it the right one.
final class LibraryCopy {
  let path: BytePath
  /// Counted in the copy.
  private(set) var rows = UserRows()
  /// What is wrong with the copy and can be made anew.
  private(set) var problems: [String] = []
  /// What is wrong with it beyond that, as it was in the library.
  private(set) var damage: [String] = []
  private let target: BytePath
  /// Holds the lock that says that somebody is at work on it.
  private let file: LibraryFile

  /// Copies what a connection sees at one moment, also while others write; checks the copy, and makes sure that it is on
  /// the disk.
  ///
  /// - Parameter db: Outside of any transaction.
  init(of db: Database, for target: BytePath) throws(StoreError) {
    self.target = target
    path = try LibraryLeftovers.reserve(for: target)
    file = try LibraryFile(at: path)
    do {
      _ = try file.tryLock(.scan)
      let before = try UserRows(db)
      try write(db)
      try verify(before, UserRows(db))
      try file.synchronize()
    } catch {
      throw StoreError(error, at: file).naming(target)
    }
  }

  deinit {
    LibraryLeftovers.remove(path)
    file.close()
  }

  /// Without free pages; page by page from a library that SQLite must not write to, because SQLite 3.40 refuses to vacuum
  /// one that is declared immutable and has generated columns.
  private func write(_ db: Database) throws {
    guard db.configuration.readonly else {
      return try db.execute(sql: "VACUUM INTO ?", arguments: [file.pathForSQLite])
    }
    try DatabaseQueue.withDatabase(at: file.pathForSQLite) { queue in
      try queue.writeWithoutTransaction { try db.backup(to: $0) }
    }
  }

  /// Reads all of the copy: SQLite finds it sound, and what users decided is all there.
  ///
  /// Rows that were wrong before are not the copy's fault: a library that needs repair can be backed up, too.
  private func verify(_ before: UserRows, _ after: UserRows) throws {
    try DatabaseQueue.withDatabase(at: file.pathForSQLite, isReadOnly: true) { queue in
      try queue.read { db in
        if let reason = try LibraryCheck.integrityProblems(db, atMost: 1).first {
          throw StoreError.corrupt(path, reason: reason)
        }
        rows = try UserRows(db)
        problems = try LibraryCheck.mendableProblems(db)
        damage = try LibraryCheck.damagedRows(db)
        guard rows.lies(between: before, and: after) else {
          throw StoreError.corrupt(path, reason: "what users decided is not all there")
        }
      }
    }
  }

  /// A line for each, with what can be done.
  var allProblems: [String] {
    problems + damage.map { "the library is damaged: \($0); `deadwax doctor --repair -o FILE` saves what can be read" }
  }

  /// Gives the copy of an older library the schema of today.
  func bringUpToDate() throws(StoreError) {
    do {
      problems = try DatabaseQueue.withDatabase(at: file.pathForSQLite) { queue in
        try queue.write(Migrations.run)
        return try queue.read(LibraryCheck.mendableProblems)
      }
      try file.synchronize()
    } catch {
      throw StoreError(error, at: file).naming(target)
    }
  }

  /// Puts the copy in its place, all at once; whoever looks sees the old file or the new one.
  ///
  /// - Parameter older: Where what is there goes, unless it is to be replaced.
  /// - Throws: where what is there is no file, or has a log beside it: that would be taken for the copy's.
  func take(keepingOlderAt older: BytePath?) throws(StoreError) {
    if LibraryPath.exists(target) {
      try Self.requireReplaceable(target)
      if let older { try Self.giveSecondName(to: target, older) }
    }
    let code = path.withCString { from in target.withCString { rename(from, $0) } } == 0 ? 0 : errno
    guard code == 0 else { throw .system(code, "cannot create", at: target) }
    try LibraryBuilder.synchronizeFolder(of: target)
  }

  /// - Throws: where what is there is no file, or has a log beside it.
  static func requireReplaceable(_ path: BytePath) throws(StoreError) {
    let present = try LibraryFile(at: path, forWriting: false)
    defer { present.close() }
    guard present.logs.isEmpty else {
      throw .inputOutput(path, reason: "in use, or its last user was killed: its log lies beside it")
    }
  }

  /// A link, so that the first name never leads to nothing; a move where the file system has no links.
  private static func giveSecondName(to path: BytePath, _ name: BytePath) throws(StoreError) {
    _ = name.withCString { unlink($0) }
    if path.withCString({ from in name.withCString { link(from, $0) } }) == 0 { return }
    guard path.withCString({ from in name.withCString { rename(from, $0) } }) == 0 else {
      throw .system(errno, "cannot keep the older one", at: path)
    }
  }
}
