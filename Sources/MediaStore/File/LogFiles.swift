internal import Base
internal import Glibc

/// The write-ahead log and the shared memory that a connection has open, by device and inode.
///
/// SQLite goes on with them after somebody deleted them, while the next process creates new ones. Then neither sees what
/// the other writes, and closing one connection deletes the log of the other.
struct LogFiles: Equatable {
  private let log: FileIdentity?
  private let sharedMemory: FileIdentity?

  /// The files that are there now; a library on a network file system has none.
  init(beside library: LibraryFile) {
    log = FileIdentity(of: library.logPath)
    sharedMemory = FileIdentity(of: library.sharedMemoryPath)
  }

  /// Refuses to write if these are not the files of other processes, too.
  ///
  /// - Parameter consequence: what that means for what was asked for.
  func require(beside library: LibraryFile, _ consequence: String) throws(StoreError) {
    guard LogFiles(beside: library) != self else { return }
    throw .inputOutput(
      library.path, reason: "its -wal or -shm was deleted or replaced by another program; \(consequence): try again")
  }

  /// Whether others exist in their place: then another process may have written to those.
  func areReplaced(beside library: LibraryFile) -> Bool {
    let present = LogFiles(beside: library)
    return (present.log != nil && present.log != log)
      || (present.sharedMemory != nil && present.sharedMemory != sharedMemory)
  }

  /// Refuses a library whose log files were deleted while another process has it open, before SQLite creates others.
  ///
  /// A process that opens the library has no log for a moment. One that closes it as the last deletes both, and has it
  /// open until it is done, which can take seconds on a busy disk: so this waits as long as for any other lock.
  static func requireUsed(beside library: LibraryFile, timeout: Duration) throws(StoreError) {
    // Asked last, because it reads the table of mounts.
    guard areMissing(beside: library), try library.header().usesWriteAheadLog, library.journalMode == "WAL" else {
      return
    }
    let deadline = ContinuousClock.now + timeout
    while ContinuousClock.now < deadline {
      usleep(10_000)
      guard areMissing(beside: library) else { return }
    }
    guard !library.isExclusiveInSQLite else { throw .locked(library.path, byProcess: library.lockingProcess()) }
    throw .inputOutput(
      library.path, reason: "its -wal or -shm was deleted while another process uses it: wait for it to end")
  }

  /// Whether a process has the library open, but one of the files is not there.
  private static func areMissing(beside library: LibraryFile) -> Bool {
    let files = LogFiles(beside: library)
    return (files.log == nil || files.sharedMemory == nil) && library.isOpenInSQLite
  }
}
