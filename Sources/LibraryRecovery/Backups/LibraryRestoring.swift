package import Base
internal import Glibc
internal import LibraryDatabase
package import MediaStore
internal import UserData

/// Replaces a library by a backup.
package enum LibraryRestoring {
  package struct Report: Hashable, Sendable {
    /// The rows of the backup.
    package var restored: UserRows
    /// The file that was replaced, under its new name; nil if there was none.
    package var keptAt: BytePath?
    /// What is wrong with the backup, and so with the restored library.
    package var problems: [LibraryProblem]
  }

  /// Copies a backup, migrates the copy, checks it, and moves it to the library's path. The library that was there
  /// stays beside it under another name, together with a log that could not be folded in.
  ///
  /// The long part comes first and changes nothing. The backup stays as it is.
  ///
  /// - Throws: if the backup is damaged, made by a newer version or not a library, or if the library is in use. Nothing
  ///   is changed then.
  package static func restore(_ backup: BytePath, to path: BytePath) throws(StoreError) -> Report {
    let source = try LibraryFile.other(at: try LibraryPath.resolved(backup))
    defer { source.close() }
    let path = try LibraryPath.resolved(path)
    guard source.path != path else { throw .sameLibrary(path) }
    _ = try source.header()
    try LibraryPath.requireOutput(path, movesLogs: true)
    try LibraryPath.makeFolders(for: path)
    guard LibraryPath.exists(path) else {
      let copy = try LibraryCopy.upToDate(of: source, at: LibraryLocation(resting: source), for: path)
      let problems = try copy.problems()
      // The log of a library that was deleted would be taken for the log of this one.
      try putBack(copy, to: path, keptAt: LibraryPath.freeName(toKeep: path))
      return Report(restored: copy.rows, keptAt: nil, problems: problems)
    }
    let present = try LibraryFile(at: path)
    defer { present.close() }
    guard try present.tryLock(.scan) else { throw .scanRunning(path, processID: nil, since: nil) }
    let alias = present.alias
    // A file that is mounted cannot be replaced. Another hard link keeps the old library: this name gets a new one.
    if let alias, alias == .mountPoint { throw .inputOutput(path, reason: alias.refusal) }
    let copy = try LibraryCopy.upToDate(of: source, at: LibraryLocation(resting: source), for: path)
    let problems = try copy.problems()
    let isFolded = alias == nil ? try foldLog(into: path) : false
    guard try present.lockForWriting(timeout: .seconds(10)) else {
      throw .locked(path, byProcess: present.lockingProcess())
    }
    guard !present.isOpenInSQLite else {
      throw .inputOutput(path, reason: "open in another program, such as deadwax serve; stop it first")
    }
    guard !isFolded || present.logs.isEmpty else {
      throw .inputOutput(path, reason: "its log cannot be written back and removed")
    }
    let kept = LibraryPath.freeName(toKeep: path)
    try copy.takeOver(ownerAndModeOf: present)
    try putBack(copy, to: path, keptAt: kept)
    return Report(restored: copy.rows, keptAt: kept, problems: problems)
  }

  /// Lets SQLite move the contents of the log into the library.
  ///
  /// - Returns: false for a library that cannot be opened or that opening would migrate: it keeps its log.
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

  /// Moves the present library and its logs out of the way, and the copy into its place.
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
