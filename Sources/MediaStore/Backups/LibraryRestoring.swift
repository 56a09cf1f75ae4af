internal import GRDB
internal import Glibc
package import MediaModel

/// Puts a backup in the place of a library.
package enum LibraryRestoring {
  package struct Report: Hashable, Sendable {
    /// In the backup.
    package var restored: UserRows
    /// Where what was there before is now; nil where nothing was.
    package var keptAt: BytePath?
  }

  /// Copies a backup, checks the copy, and puts it where the library is, which stays beside it under another name.
  ///
  /// - Throws: where the backup is damaged, newer than this program or no library, or while somebody writes to the
  ///   library; nothing is changed then.
  package static func restore(_ backup: BytePath, to path: BytePath) throws(StoreError) -> Report {
    let source = try MediaStore(at: backup, access: .readOnly)
    defer { try? source.close() }
    let path = try LibraryPath.resolved(path)
    guard source.path != path else { throw .inputOutput(path, reason: "this is the library itself") }
    let check = try source.check(isDeep: true)
    guard check.integrityProblems.isEmpty, check.damagedProductCount == 0 else {
      let reason = check.integrityProblems.first ?? "what is stored is not what was written"
      throw .corrupt(source.path, reason: reason)
    }
    let rows = try source.userRows()
    guard LibraryCopy.exists(path) else {
      try source.copy(to: path, keepingOlderAt: nil)
      return Report(restored: rows, keptAt: nil)
    }
    // A log that still holds changes must never lie beside another library: opening and closing folds it in.
    let isReadable = (try? MediaStore(at: path, access: .readOnly).close()) != nil
    let present = try LibraryFile(at: path)
    defer { present.close() }
    guard try present.tryLock(.scan) else { throw .scanRunning(path, processID: nil, since: nil) }
    guard try present.lock(.writer, patience: .seconds(10)) else {
      throw .locked(path, byProcess: present.lockingProcess())
    }
    let kept = freeName(beside: path)
    if present.hasWriteAheadLog || present.hasSharedMemory {
      guard !isReadable else {
        guard !present.isOpenInSQLite else { throw .locked(path, byProcess: present.lockingProcess()) }
        throw .inputOutput(path, reason: "its log cannot be folded in and removed")
      }
      // A library that cannot be opened keeps its log, whatever that is worth.
      try moveLog(of: path, to: kept)
    }
    try source.copy(to: path, keepingOlderAt: kept)
    return Report(restored: rows, keptAt: kept)
  }

  /// A name for a library as it is before something large happens to it.
  static func freeName(beside path: BytePath) -> BytePath {
    let moment = Timestamp(secondsSince1970: Int64(time(nil))).description.filter { $0.isNumber }
    var name = BytePath(path.bytes + Array(".before-\(moment)".utf8))
    var number = 2
    while LibraryCopy.exists(name) {
      name = BytePath(path.bytes + Array(".before-\(moment)-\(number)".utf8))
      number += 1
    }
    return name
  }

  private static func moveLog(of path: BytePath, to target: BytePath) throws(StoreError) {
    for suffix in ["-wal", "-shm"] {
      let (from, to) = (
        BytePath(path.bytes + Array(suffix.utf8)), BytePath(target.bytes + Array(suffix.utf8))
      )
      let code = from.withCString { name in to.withCString { rename(name, $0) } } == 0 ? 0 : errno
      if code != 0, code != ENOENT { throw .system(code, "cannot keep its log", at: path) }
    }
  }
}
