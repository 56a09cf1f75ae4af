internal import Glibc
internal import GRDB
package import MediaModel

/// Puts a backup in the place of a library.
package enum LibraryRestoring {
  package struct Report: Hashable, Sendable {
    /// In the backup.
    package var restored: UserRows
    /// Where what was there before is now; nil where nothing was.
    package var keptAt: BytePath?
    /// What is wrong with the backup, and so with the library.
    package var problems: [String]
  }

  /// Copies a backup, brings the copy up to date, checks it, and puts it where the library is, which stays beside it under
  /// another name, with a log that could not be folded in.
  ///
  /// The long part comes first, and nothing is changed in it. The backup stays as it is.
  ///
  /// - Throws: where the backup is damaged, newer than this program or no library, or while somebody uses the library;
  ///   nothing is changed then.
  package static func restore(_ backup: BytePath, to path: BytePath) throws(StoreError) -> Report {
    let source = try LibraryFile.other(at: try LibraryPath.resolved(backup))
    defer { source.close() }
    let path = try LibraryPath.resolved(path)
    guard source.path != path else { throw .inputOutput(path, reason: "this is the library itself") }
    _ = try source.header()
    try LibraryBuilder.makeFolders(for: path)
    guard LibraryPath.exists(path) else {
      let copy = try LibraryCopy.upToDate(of: source, at: LibraryLocation(resting: source), for: path)
      // What a library left that is gone would be taken for the log of this one.
      try putBack(copy, to: path, keptAt: LibraryPath.freeName(toKeep: path))
      return Report(restored: copy.rows, keptAt: nil, problems: copy.allProblems)
    }
    let present = try LibraryFile(at: path)
    defer { present.close() }
    guard try present.tryLock(.scan) else { throw .scanRunning(path, processID: nil, since: nil) }
    let copy = try LibraryCopy.upToDate(of: source, at: LibraryLocation(resting: source), for: path)
    let isFolded = try foldLog(into: path)
    guard try present.lock(.writer, patience: .seconds(10)), !present.isOpenInSQLite else {
      throw .locked(path, byProcess: present.lockingProcess())
    }
    guard !isFolded || present.logs.isEmpty else {
      throw .inputOutput(path, reason: "its log cannot be folded in and removed")
    }
    let kept = LibraryPath.freeName(toKeep: path)
    try putBack(copy, to: path, keptAt: kept)
    return Report(restored: copy.rows, keptAt: kept, problems: copy.allProblems)
  }

  /// Lets SQLite put what the log has into the library, as the end of its last use would have.
  ///
  /// - Returns: false for a library that cannot be opened, or that opening would bring up to date: it keeps its log.
  private static func foldLog(into path: BytePath) throws(StoreError) -> Bool {
    do {
      guard try !MediaStore.isOlder(at: path) else { return false }
      try MediaStore(at: path, access: .readOnly).close()
      return true
    } catch {
      switch error {
      case .diskFull, .locked: throw error
      default: return false
      }
    }
  }

  /// Takes what is there, and its logs, out of the way, and puts the copy there.
  private static func putBack(_ copy: LibraryCopy, to path: BytePath, keptAt kept: BytePath) throws(StoreError) {
    let logs = LibraryLeftovers.logs(beside: path).map { log in
      (from: log, to: BytePath(kept.bytes + log.bytes.dropFirst(path.bytes.count)))
    }
    var moved = 0
    do {
      for (from, to) in logs {
        try move(from, to: to)
        moved += 1
      }
      try copy.take(keepingOlderAt: kept)
    } catch {
      for (from, to) in logs.prefix(moved) { try? move(to, to: from) }
      throw error
    }
  }

  private static func move(_ path: BytePath, to target: BytePath) throws(StoreError) {
    let code = path.withCString { from in target.withCString { rename(from, $0) } } == 0 ? 0 : errno
    guard code == 0 else { throw .system(code, "cannot keep a log", at: path) }
  }
}
