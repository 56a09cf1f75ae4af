internal import Glibc

/// A small file that only its user may read, such as one with passwords; it is replaced as a whole.
package struct PrivateFile: Sendable {
  /// By which one version of the file is told from the next.
  package struct Stamp: Hashable, Sendable {
    private let inode: UInt64
    private let byteCount: Int64
    private let modificationTimeInNanoseconds: Int64

    fileprivate init(_ status: stat) {
      inode = UInt64(status.st_ino)
      byteCount = Int64(status.st_size)
      modificationTimeInNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
  }

  package let path: BytePath

  package init(_ path: BytePath) { self.path = path }

  /// nil if there is no file.
  package func stamp() throws(SystemError) -> Stamp? {
    var status = stat()
    if path.withCString({ lstat($0, &status) }) == 0 { return Stamp(status) }
    guard errno == ENOENT || errno == ENOTDIR else { throw failure("lstat", "cannot be read") }
    return nil
  }

  /// - Parameter limit: The most bytes that are read.
  /// - Throws: ``SystemError``, also if others may read the file or it belongs to somebody else.
  package func read(limit: Int) throws(SystemError) -> (bytes: [UInt8], stamp: Stamp) {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    guard descriptor >= 0 else { throw failure("open", "cannot be read") }
    defer { close(descriptor) }
    let status = try requirePrivacy(of: descriptor)
    return (try DescriptorBytes.bytes(from: descriptor, count: limit), Stamp(status))
  }

  @discardableResult
  private func requirePrivacy(of descriptor: Int32) throws(SystemError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
      status.st_uid == getuid()
    else { throw failure("fstat", "is accessible to other users; `chmod 600` it, or delete it", EPERM) }
    return status
  }

  /// Replaces the file, or makes it; it is on the disk when this returns.
  package func replace(with bytes: [UInt8]) throws(SystemError) {
    let new = beside(".new")
    _ = new.withCString { unlink($0) }
    let descriptor = new.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw failure("open", "cannot be written") }
    do throws(SystemError) {
      defer { close(descriptor) }
      try DescriptorBytes.write(bytes, to: descriptor)
      guard fsync(descriptor) == 0 else { throw failure("fsync", "cannot be written") }
    } catch {
      _ = new.withCString { unlink($0) }
      throw error
    }
    guard new.withCString({ from in path.withCString { rename(from, $0) } }) == 0 else {
      throw failure("rename", "cannot be replaced")
    }
  }

  /// Adds bytes to the end, or makes the file; they are on the disk when this returns.
  ///
  /// - Throws: ``SystemError``, also if others may read the file or it belongs to somebody else.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    let descriptor = path.withCString { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw failure("open", "cannot be written") }
    defer { close(descriptor) }
    try requirePrivacy(of: descriptor)
    try DescriptorBytes.write(bytes, to: descriptor)
    guard fsync(descriptor) == 0 else { throw failure("fsync", "cannot be written") }
  }

  /// Calls `body` while no other process does the same.
  package func locked<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = beside(".lock").withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard lock >= 0 else { throw failure("open", "cannot be locked") }
    defer { close(lock) }
    guard flock(lock, LOCK_EX) == 0 else { throw failure("flock", "cannot be locked") }
    return try body()
  }

  private func beside(_ ending: String) -> BytePath { BytePath(path.bytes + Array(ending.utf8)) }

  private func failure(_ call: String, _ what: String, _ code: Int32 = errno) -> SystemError {
    SystemError(call: call, code: code, detail: "\(path.displayString) \(what)")
  }
}
