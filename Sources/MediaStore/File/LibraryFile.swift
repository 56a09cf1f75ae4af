package import Base
internal import CPosix
internal import Glibc
internal import Synchronization

/// The library's file itself: its identity, header and advisory locks, through one descriptor.
///
/// The locks are OFD locks on bytes far beyond those that SQLite locks. So there is no lock file, and a lock ends with
/// its process.
///
/// Closing any descriptor of a file drops the POSIX locks that SQLite holds on it in this process. So call ``close()``
/// after SQLite has closed the file; the descriptor stays open as long as any other `LibraryFile` of this process has
/// the same file.
package final class LibraryFile: Sendable {
  package enum Range: Int64 {
    case scan = 0x4000_0000_0000_0000
    case writer = 0x4000_0000_0000_0001
    case watch = 0x4000_0000_0000_0002
    /// Held by the one who gets ``writer`` next, so that long operations see that somebody waits.
    case turn = 0x4000_0000_0000_0003
  }

  package let path: BytePath
  package let isWritable: Bool
  private let descriptor: Int32
  private let identity: FileIdentity

  /// Opens an existing file; nothing is read or locked yet.
  ///
  /// - Parameter forWriting: whether to open for writing too, if the file system allows it.
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
    identity = FileIdentity(status)
    self.descriptor = descriptor
    Self.openFiles.withLock { $0[identity, default: OpenFile()].useCount += 1 }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close()
      throw .notALibrary(path, reason: "not a regular file")
    }
  }

  /// Opens another library, which is only read.
  ///
  /// - Throws: ``StoreError/noSuchFile(_:)`` if it is missing: nobody expects that it is created.
  package static func other(at path: BytePath) throws(StoreError) -> LibraryFile {
    do { return try LibraryFile(at: path) } catch {
      guard case .missingLibrary = error else { throw error }
      throw .noSuchFile(path)
    }
  }

  private static func open(_ path: BytePath, _ mode: Int32) -> Int32 {
    path.withCString { Glibc.open($0, mode | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
  }

  package func header() throws(StoreError) -> LibraryHeader {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try DescriptorBytes.bytes(from: descriptor, count: LibraryHeader.byteCount, at: 0)
    } catch {
      throw .system(error.code, "cannot read", at: path)
    }
    return try LibraryHeader(bytes, at: path)
  }

  /// The present length of the file.
  package var byteCount: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Bytes of the file; fewer if it ends before or cannot be read.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filledCount in
      filledCount =
        DescriptorBytes.read(from: descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset).count
    }
  }

  /// A path that can be given to SQLite as text, whatever bytes the name has.
  ///
  /// SQLite resolves the symbolic link of the descriptor to the real name and puts its own files beside that.
  package var pathForSQLite: String {
    String(validating: path.bytes, as: UTF8.self) ?? "/proc/self/fd/\(descriptor)"
  }

  /// Makes sure that the file's bytes are on the disk.
  package func synchronize() throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw .system(errno, "cannot write", at: path) }
  }

  /// Gives the file the owner, group and mode of another one. What the kernel does not permit stays as it is; a group
  /// that cannot be given gets no rights that its own group had.
  package func takeOver(ownerAndModeOf other: LibraryFile) throws(StoreError) {
    var (own, wanted) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, fstat(other.descriptor, &wanted) == 0 else {
      throw .system(errno, "cannot stat", at: path)
    }
    var mode = wanted.st_mode & 0o777
    if own.st_uid != wanted.st_uid || own.st_gid != wanted.st_gid,
      fchown(descriptor, wanted.st_uid, wanted.st_gid) != 0, fchown(descriptor, uid_t.max, wanted.st_gid) != 0
    {
      mode &= ~0o070
    }
    // Without these the restored library could not be used by anybody.
    _ = fchmod(descriptor, mode | 0o600)
  }

  var folderIsWritable: Bool {
    path.folder.withCString { access($0, W_OK | X_OK) } == 0
  }

  /// The path of SQLite's write-ahead log, whether there is one or not.
  var logPath: BytePath { BytePath(path.bytes + Array("-wal".utf8)) }

  /// The path of the memory that SQLite shares between processes, whether there is any or not.
  var sharedMemoryPath: BytePath { BytePath(path.bytes + Array("-shm".utf8)) }

  /// The path of SQLite's rollback journal, whether there is one or not.
  var journalPath: BytePath { BytePath(path.bytes + Array("-journal".utf8)) }

  /// Whether there is a write-ahead log beside the file: a process has it open, or was killed.
  var hasWriteAheadLog: Bool { writeAheadLogByteCount > 0 }

  /// The length of SQLite's write-ahead log; 0 if there is none.
  var writeAheadLogByteCount: Int64 { Int64(status(ofSuffix: "-wal")?.st_size ?? 0) }

  /// Whether there is a shared-memory file of SQLite beside the file.
  var hasSharedMemory: Bool { status(ofSuffix: "-shm") != nil }

  /// The files that SQLite uses beside the library: changes that belong to it, or that must be rolled back.
  package var logs: [BytePath] { LibraryLeftovers.logs(beside: path) }

  private func status(ofSuffix suffix: String) -> stat? {
    var status = stat()
    return BytePath(path.bytes + Array(suffix.utf8)).withCString { stat($0, &status) } == 0 ? status : nil
  }

  /// `WAL`, or `DELETE` on a network file system, where processes on two machines cannot share the memory of a WAL.
  package var journalMode: String { FileSystemType.isRemote(device: identity.device) ? "DELETE" : "WAL" }

  /// Whether this is the same file, whatever its name.
  package func isSameFile(as other: LibraryFile) -> Bool { identity == other.identity }

  /// Whether the path that was opened now leads to another file.
  package var isReplaced: Bool {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return false }
    return identity != FileIdentity(status)
  }

  /// Whether the path that was opened still leads to a file, this one or another; true if that cannot be found out.
  /// What is written to a file without a name is lost.
  var hasName: Bool {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Whether another name leads to the same file, of whatever kind.
  var hasHardLink: Bool { linkCount > 1 }

  private var linkCount: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_nlink) : 0
  }

  /// Why the library must not be written to under this name; nil if it has only this one.
  ///
  /// Names that this program gives it for a moment while it creates or replaces a library do not count.
  package var alias: FileAlias? {
    if hasHardLink {
      // Counted first: these names may disappear at any time.
      let ownCount = LibraryLeftovers.fileAliases(of: self).count
      let count = linkCount - ownCount
      if count > 1 { return .hardLinks(count: count) }
    }
    return MountTable.hasMount(at: path) ? .mountPoint : nil
  }

  /// Whether a path leads to this very file, without following a symbolic link.
  func isAlso(at path: BytePath) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 && FileIdentity(status) == identity
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

  /// Takes a lock if nobody holds it, not even this object; false otherwise.
  package func tryLock(_ range: Range) throws(StoreError) -> Bool {
    let code = holding.withLock { holding -> Int32 in
      guard !holding.isClosed else { return EBADF }
      guard !holding.ranges.contains(range) else { return EAGAIN }
      var lock = Self.lock(range, Int16(isWritable ? F_WRLCK : F_RDLCK))
      guard fcntl(descriptor, dw_set_file_lock, &lock) == 0 else { return errno }
      holding.ranges.insert(range)
      return 0
    }
    guard code != 0 else { return true }
    guard code == EAGAIN || code == EACCES else { throw .system(code, "cannot lock", at: path) }
    return false
  }

  /// Waits for ``Range/writer`` for at most `timeout`, one after the other; false if it was not free in that time.
  package func lockForWriting(timeout: Duration) throws(StoreError) -> Bool {
    if try tryLock(.writer) { return true }
    let deadline = ContinuousClock.now + timeout
    guard try lock(.turn, until: deadline) else { return false }
    defer { unlock(.turn) }
    return try lock(.writer, until: deadline)
  }

  private func lock(_ range: Range, until deadline: ContinuousClock.Instant) throws(StoreError) -> Bool {
    var pause = Duration.microseconds(500)
    while true {
      if try tryLock(range) { return true }
      if ContinuousClock.now >= deadline { return false }
      usleep(UInt32(pause / .microseconds(1)))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// The longest time between two attempts to take a lock.
  static let longestPause = Duration.milliseconds(20)

  /// Whether this process or another one scans the library.
  var isScanning: Bool { holding.withLock { $0.ranges.contains(.scan) } || isLockedElsewhere(.scan) }

  /// Whether another process holds a lock, without taking it.
  package func isLockedElsewhere(_ range: Range) -> Bool {
    var lock = Self.lock(range, Int16(F_WRLCK))
    return fcntl(descriptor, dw_get_file_lock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// Whether SQLite has the file open in any process: in WAL mode it holds a lock on these bytes from its first read
  /// on.
  package var isOpenInSQLite: Bool { lockOfSQLite != F_UNLCK }

  /// Whether a process is closing the file as the last one, or changes its journal mode: it keeps all others out.
  var isExclusiveInSQLite: Bool { lockOfSQLite == F_WRLCK }

  private var lockOfSQLite: Int32 {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (0x4000_0002, 510)
    return fcntl(descriptor, dw_get_file_lock, &lock) == 0 ? Int32(lock.l_type) : F_UNLCK
  }

  package func unlock(_ range: Range) {
    holding.withLock { holding in
      guard holding.ranges.remove(range) != nil else { return }
      var lock = Self.lock(range, Int16(F_UNLCK))
      _ = fcntl(descriptor, dw_set_file_lock, &lock)
    }
  }

  /// The id of a process that holds SQLite's write lock on the library, if the kernel tells.
  package func lockingProcess() -> Int32? {
    var inodes = [identity.inode]
    if let memory = status(ofSuffix: "-shm") { inodes.append(FileIdentity(memory).inode) }
    return KernelLocks.writer(ofInodes: inodes)
  }

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

  private static let openFiles = Mutex<[FileIdentity: OpenFile]>([:])

  /// Releases all locks, and closes the descriptor when no other `LibraryFile` of this process has the file open.
  package func close() {
    unlock(.scan)
    unlock(.writer)
    unlock(.watch)
    unlock(.turn)
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

/// The fields of SQLite's 100-byte file header that tell a library from other files.
package struct LibraryHeader {
  package static let applicationID: UInt32 = 0x4457_4158
  package static let byteCount = 100
  /// The schema version of `schema.sql`, the newest one that this program supports.
  package static let currentVersion = 14

  package let schemaVersion: Int
  /// Whether the file is in WAL mode, as every library on a local disk is.
  let usesWriteAheadLog: Bool

  /// - Parameter bytes: the first bytes of the file, fewer than 100 if it is shorter.
  package init(_ bytes: [UInt8], at path: BytePath) throws(StoreError) {
    guard !bytes.isEmpty else { throw .notALibrary(path, reason: "0 bytes") }
    guard bytes.count == Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notALibrary(path, reason: "not an SQLite database")
    }
    func word(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    guard word(at: 68) == Self.applicationID else {
      throw .notALibrary(path, reason: "an SQLite database of another program")
    }
    schemaVersion = Int(word(at: 60))
    usesWriteAheadLog = bytes[18] == 2
    guard schemaVersion > 0 else { throw .notALibrary(path, reason: "schema version 0") }
    guard schemaVersion <= LibraryHeader.currentVersion else {
      throw .newerSchema(path, found: schemaVersion, supported: LibraryHeader.currentVersion)
    }
  }
}
