internal import Glibc
package import MediaModel
internal import Synchronization

/// The library's file itself: its identity, header and advisory locks, through one descriptor of our own.
///
/// Locks are OFD byte-range locks far beyond the bytes that SQLite locks, so there is no lock file, and a lock ends with
/// the process that holds it, however that ends. Closing any descriptor of a file drops the POSIX locks that SQLite holds
/// on it in this process: so ``close()`` is for after SQLite has closed, and a descriptor stays open as long as any other
/// `LibraryFile` of this process has the same file.
package final class LibraryFile: Sendable {
  package enum Range: Int64 {
    case scan = 0x4000_0000_0000_0000
    case writer = 0x4000_0000_0000_0001
  }

  let path: BytePath
  let isWritable: Bool
  private let descriptor: Int32
  private let identity: Identity

  struct Identity: Hashable {
    let device: UInt
    let inode: UInt
  }

  /// Opens a file that is there; nothing is read or locked yet.
  ///
  /// - Parameter forWriting: whether to open for writing too, if the file system lets us.
  package init(at path: BytePath, forWriting: Bool = true) throws(StoreError) {
    self.path = path
    var descriptor = forWriting ? Self.open(path, O_RDWR) : -1
    isWritable = descriptor >= 0
    if descriptor < 0 { descriptor = Self.open(path, O_RDONLY) }
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOENT ? .missingLibrary(path) : .system(code, "cannot open", at: path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, "cannot stat", at: path) }
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    self.descriptor = descriptor
    Self.openFiles.withLock { $0[identity, default: OpenFile()].useCount += 1 }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close()
      throw .notALibrary(path, reason: "not a regular file")
    }
  }

  /// Opens a library that another one is made from, and that nobody expects to be made.
  static func other(at path: BytePath) throws(StoreError) -> LibraryFile {
    do { return try LibraryFile(at: path) } catch {
      guard case .missingLibrary = error else { throw error }
      throw .system(ENOENT, "cannot open", at: path)
    }
  }

  private static func open(_ path: BytePath, _ mode: Int32) -> Int32 {
    path.withCString { Glibc.open($0, mode | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
  }

  func header() throws(StoreError) -> LibraryHeader {
    var bytes = [UInt8](repeating: 0, count: LibraryHeader.byteCount)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .system(errno, "cannot read", at: path) }
    return try LibraryHeader(Array(bytes.prefix(count)), at: path)
  }

  /// The file's length, at this moment.
  var byteCount: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Bytes of the file, fewer where it ends or cannot be read.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filledCount in
      while filledCount < count {
        let result = pread(
          descriptor, buffer.baseAddress?.advanced(by: filledCount), count - filledCount, Int(offset) + filledCount)
        if result < 0 && errno == EINTR { continue }
        guard result > 0 else { return }
        filledCount += result
      }
    }
  }

  /// A path that SQLite can be given as text, whatever bytes the name has.
  ///
  /// SQLite resolves the symbolic link of the descriptor to the bytes of the name, and puts its own files beside that.
  var pathForSQLite: String {
    String(validating: path.bytes, as: UTF8.self) ?? "/proc/self/fd/\(descriptor)"
  }

  /// Makes sure that the file's bytes are on the disk.
  func synchronize() throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw .system(errno, "cannot write", at: path) }
  }

  var folderIsWritable: Bool {
    path.folder.withCString { access($0, W_OK | X_OK) } == 0
  }

  /// Where SQLite's write-ahead log lies, if there is one.
  var logPath: BytePath { BytePath(path.bytes + Array("-wal".utf8)) }

  /// Whether SQLite's write-ahead log lies beside the file: then somebody has it open, or was killed.
  var hasWriteAheadLog: Bool { writeAheadLogByteCount > 0 }

  /// The length of SQLite's write-ahead log, 0 without one.
  var writeAheadLogByteCount: Int64 { Int64(status(ofSuffix: "-wal")?.st_size ?? 0) }

  /// Whether SQLite's shared memory lies beside the file.
  var hasSharedMemory: Bool { status(ofSuffix: "-shm") != nil }

  /// What SQLite has left beside the file, or uses there: changes that belong to it, or that must be taken back.
  var logs: [BytePath] { LibraryLeftovers.logs(beside: path) }

  private func status(ofSuffix suffix: String) -> stat? {
    var status = stat()
    return BytePath(path.bytes + Array(suffix.utf8)).withCString { stat($0, &status) } == 0 ? status : nil
  }

  /// `WAL`, or `DELETE` on a network's file system, where processes of two machines cannot share the memory of a WAL.
  var journalMode: String { FileSystemType.isRemote(device: identity.device) ? "DELETE" : "WAL" }

  /// Whether this is the same file under whatever name.
  func isSameFile(as other: LibraryFile) -> Bool { identity == other.identity }

  /// Whether the name that it was opened by leads to another file by now.
  var isReplaced: Bool {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return false }
    return identity != Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
  }

  /// Whether the name that it was opened by leads to a file, this one or another; true where that cannot be found out.
  /// What is written to a file without a name is lost.
  var hasName: Bool {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Whether another name leads to the same file.
  var hasSecondName: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 1
  }

  var isDiskFull: Bool {
    var status = statvfs()
    return fstatvfs(descriptor, &status) == 0 && status.f_bavail == 0
  }

  // MARK: - Locks

  private struct Holding {
    var ranges: Set<Range> = []
    var isClosed = false
  }

  private let holding = Mutex(Holding())

  /// Takes a lock if nobody holds it, this very object included; false if somebody does.
  package func tryLock(_ range: Range) throws(StoreError) -> Bool {
    let code = holding.withLock { holding -> Int32 in
      guard !holding.isClosed else { return EBADF }
      guard !holding.ranges.contains(range) else { return EAGAIN }
      var lock = Self.lock(range, Int16(isWritable ? F_WRLCK : F_RDLCK))
      guard fcntl(descriptor, Self.setLock, &lock) == 0 else { return errno }
      holding.ranges.insert(range)
      return 0
    }
    guard code != 0 else { return true }
    guard code == EAGAIN || code == EACCES else { throw .system(code, "cannot lock", at: path) }
    return false
  }

  /// Waits for a lock as long as `patience`; false if it was in vain.
  func lock(_ range: Range, patience: Duration) throws(StoreError) -> Bool {
    let deadline = ContinuousClock.now + patience
    var pause = Duration.microseconds(500)
    while true {
      if try tryLock(range) { return true }
      if ContinuousClock.now >= deadline { return false }
      usleep(UInt32(pause / .microseconds(1)))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// How long whoever waits for a lock looks away.
  static let longestPause = Duration.milliseconds(20)

  /// Whether somebody else holds a lock, found out without taking it.
  func isLockedElsewhere(_ range: Range) -> Bool {
    var lock = Self.lock(range, Int16(F_WRLCK))
    return fcntl(descriptor, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// Whether SQLite has the file open anywhere: in WAL mode it holds a lock on these bytes from its first read on.
  var isOpenInSQLite: Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (0x4000_0002, 510)
    return fcntl(descriptor, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  package func unlock(_ range: Range) {
    holding.withLock { holding in
      guard holding.ranges.remove(range) != nil else { return }
      var lock = Self.lock(range, Int16(F_UNLCK))
      _ = fcntl(descriptor, Self.setLock, &lock)
    }
  }

  /// The id of a process that holds SQLite's write lock on the library, if the kernel tells.
  func lockingProcess() -> Int32? {
    var inodes = [identity.inode]
    if let memory = status(ofSuffix: "-shm") { inodes.append(UInt(memory.st_ino)) }
    return KernelLocks.writer(ofInodes: inodes)
  }

  /// `F_OFD_SETLK`, which the C library's headers hide behind a feature macro.
  private static let setLock: Int32 = 37
  /// `F_OFD_GETLK`, likewise.
  private static let getLock: Int32 = 36

  private static func lock(_ range: Range, _ kind: Int16) -> flock {
    var lock = flock()
    lock.l_type = kind
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Int(range.rawValue)
    lock.l_len = 1
    return lock
  }

  // MARK: - Closing

  private struct OpenFile {
    var useCount = 0
    var retired: [Int32] = []
  }

  private static let openFiles = Mutex<[Identity: OpenFile]>([:])

  /// Gives up all locks, and closes the descriptor when no other `LibraryFile` of this process has the file open.
  package func close() {
    unlock(.scan)
    unlock(.writer)
    let wasClosed = holding.withLock { holding in
      defer { holding.isClosed = true }
      return holding.isClosed
    }
    if wasClosed { return }
    let retired = Self.openFiles.withLock { files -> [Int32] in
      guard var file = files[identity] else { return [] }
      file.useCount -= 1
      file.retired.append(descriptor)
      files[identity] = file.useCount == 0 ? nil : file
      return file.useCount == 0 ? file.retired : []
    }
    for descriptor in retired { _ = Glibc.close(descriptor) }
  }
}
