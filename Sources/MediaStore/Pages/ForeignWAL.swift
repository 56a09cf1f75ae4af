internal import Base
internal import Glibc

/// Logs beside a library that SQLite would apply to it although they belong to another file, or to another state of
/// this one: of a backup that was put back beside the log of a killed process, for example.
package enum ForeignWAL {
  /// Gives such logs other names before SQLite opens the library, so that it is read as it is. Nothing is deleted except
  /// shared memory, which belongs to the log and has nothing of its own.
  ///
  /// Only logs of processes that have ended are looked at: one that is in use was made with its library.
  ///
  /// - Returns: a sentence about each.
  /// - Throws: if that is not possible here; then the library must not be opened.
  static func setAside(beside library: LibraryFile, timeout: Duration) throws(StoreError) -> [String] {
    guard !found(beside: library).isEmpty else { return [] }
    guard library.isWritable, library.folderIsWritable else { return try refuse(beside: library) }
    guard try library.lockForWriting(timeout: timeout) else {
      throw .locked(library.path, byProcess: library.lockingProcess())
    }
    defer { library.unlock(.writer) }
    var sentences: [String] = []
    // Another process may have been faster.
    for log in found(beside: library) {
      let kept = LibraryPath.freeName(for: log, "foreign")
      let code = log.withCString { from in kept.withCString { rename(from, $0) } } == 0 ? 0 : errno
      guard code == 0 else { throw .system(code, "cannot set its log aside", at: log) }
      _ = library.sharedMemoryPath.withCString { unlink($0) }
      try LibraryPath.synchronizeFolder(of: log)
      sentences.append(
        "\(log.lastComponent.displayString) continues another library, or another state of this one: it was not applied "
          + "and is now \(kept.lastComponent.displayString); to see its contents, rename it and put it next to a copy of "
          + "the file that it belongs to")
    }
    return sentences
  }

  /// Refuses a library that must stay as it is, with what lies beside it.
  @discardableResult package static func refuse(beside library: LibraryFile) throws(StoreError) -> [String] {
    guard let log = found(beside: library).first else { return [] }
    throw .corrupt(
      library.path,
      reason: "\(log.lastComponent.displayString) next to it continues another library, or another state of this one: "
        + "move it elsewhere")
  }

  private static func found(beside library: LibraryFile) -> [BytePath] {
    let (log, journal) = (library.logPath, library.journalPath)
    guard LibraryPath.exists(log) || LibraryPath.exists(journal), !library.isOpenInSQLite else { return [] }
    return (isForeignLog(log, library) ? [log] : []) + (isForeignJournal(journal, library) ? [journal] : [])
  }

  private static func isForeignLog(_ path: BytePath, _ library: LibraryFile) -> Bool {
    guard let file = try? LibraryFile(at: path, forWriting: false) else { return false }
    defer { file.close() }
    return WriteAheadLogOwnership(ofLogIn: file, to: library)?.isForeign == true
  }

  private static func isForeignJournal(_ path: BytePath, _ library: LibraryFile) -> Bool {
    guard (try? library.header().usesWriteAheadLog) == true,
      let file = try? LibraryFile(at: path, forWriting: false)
    else { return false }
    defer { file.close() }
    let journal = RollbackJournal(file)
    return journal.isHot && !journal.belongs(to: library)
  }
}

extension WriteAheadLogOwnership {
  /// Refuses a library whose file lost its end before SQLite applies the log of a killed process.
  static func requireWholeFile(of library: LibraryFile) throws(StoreError) {
    guard library.hasWriteAheadLog, !library.isOpenInSQLite,
      let file = try? LibraryFile(at: library.logPath, forWriting: false)
    else { return }
    defer { file.close() }
    guard let ownership = WriteAheadLogOwnership(ofLogIn: file, to: library), ownership.missingPageCount > 0 else {
      return
    }
    throw .corrupt(library.path, reason: "its end is missing and not in its -wal")
  }

  /// nil for a log without a complete transaction.
  fileprivate init?(ofLogIn file: LibraryFile, to library: LibraryFile) {
    let log = WriteAheadLog(byteCount: file.byteCount, read: file.bytes)
    guard log.pageCount != nil else { return nil }
    let pageCount = Int((library.byteCount + Int64(BTreePage.size) - 1) / Int64(BTreePage.size))
    self.init(of: log, to: library, pageCount: pageCount) { offset in
      file.bytes(at: offset, count: BTreePage.size)
    }
  }
}
