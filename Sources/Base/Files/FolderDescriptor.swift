internal import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package var call: String
  /// The value of errno.
  package var code: Int32
  package var detail: String?

  /// Uses the current errno unless `code` is given.
  package init(call: String, code: Int32? = nil, detail: String? = nil) {
    self.call = call
    self.code = code ?? errno
    self.detail = detail
  }

  package var description: String { detail ?? String(cString: strerror(code)) }
}

/// An open directory: `init` opens it, `deinit` closes it. Paths below it may be of any length.
package struct FolderDescriptor: ~Copyable {
  package let rawValue: Int32

  /// Opens an absolute path, following symbolic links.
  package init(opening path: BytePath) throws(SystemError) {
    try self.init(at: AT_FDCWD, components: path, followsLinks: true)
  }

  /// Opens a folder below another one. Symbolic links on the way are not followed unless requested.
  package init(opening path: BytePath, below folder: borrowing FolderDescriptor, followsLinks: Bool = false)
    throws(SystemError)
  {
    try self.init(
      at: folder.rawValue, components: path.bytes.isEmpty ? BytePath(".") : path, followsLinks: followsLinks)
  }

  /// Opens a folder below another one with no link on the way to it, even while somebody puts some there: each folder of the path
  /// is opened in the one before.
  ///
  /// - Throws: with ELOOP or ENOTDIR if there is one.
  package init(throughNoLink path: BytePath, below folder: borrowing FolderDescriptor) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    var descriptor = openat(folder.rawValue, ".", flags)
    guard descriptor >= 0 else { throw SystemError(call: "open") }
    for component in path.bytes.split(separator: UInt8(ascii: "/")).map({ BytePath($0) }) {
      let next = component == BytePath("..") ? -1 : component.withCString { openat(descriptor, $0, flags) }
      let failure = SystemError(call: "open", code: component == BytePath("..") ? EINVAL : errno)
      close(descriptor)
      guard next >= 0 else { throw failure }
      descriptor = next
    }
    rawValue = descriptor
  }

  deinit { close(rawValue) }

  private init(at start: Int32, components path: BytePath, followsLinks: Bool) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
    rawValue = try withShortPath(path, at: start) { parent, rest throws(SystemError) in
      let descriptor = openat(parent, rest, flags)
      guard descriptor >= 0 else { throw SystemError(call: "open") }
      return descriptor
    }
  }

  /// Opens a file below this folder for reading, without blocking; the caller closes the descriptor.
  ///
  /// A FIFO, socket, device or directory is refused; the check is made on the opened descriptor.
  package func openRegularFile(_ path: BytePath, followsLinks: Bool = false) throws(SystemError) -> (
    descriptor: Int32, status: FileStatus
  ) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = try withShortPath(path, at: rawValue) { parent, rest throws(SystemError) in
      let descriptor = openat(parent, rest, flags)
      guard descriptor >= 0 else { throw SystemError(call: "open") }
      return descriptor
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else {
      let failure = SystemError(call: "fstat")
      close(descriptor)
      throw failure
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SystemError(call: "open", code: EINVAL, detail: "not a regular file")
    }
    return (descriptor, FileStatus(information))
  }

  /// Opens a file below this folder for reading, as ``openRegularFile(_:followsLinks:)`` does, but with no link on the way to it, even
  /// while somebody puts some there: each folder of the path is opened in the one before.
  ///
  /// - Throws: with ELOOP or ENOTDIR if there is one.
  package func openRegularFile(throughNoLink path: BytePath) throws(SystemError) -> (
    descriptor: Int32, status: FileStatus
  ) {
    var components = path.bytes.split(separator: UInt8(ascii: "/")).map { BytePath($0) }
    guard let name = components.popLast(), !components.contains(BytePath("..")), name != BytePath("..") else {
      throw SystemError(call: "open", code: EINVAL, detail: "not a path below the folder")
    }
    guard let first = components.first else { return try openRegularFile(name) }
    var folder = try FolderDescriptor(opening: first, below: self)
    for component in components.dropFirst() { folder = try FolderDescriptor(opening: component, below: folder) }
    return try folder.openRegularFile(name)
  }

  /// Whether the folder is empty, like a mount point without its disk; false if that cannot be determined.
  package var isEmpty: Bool {
    let again = openat(rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard again >= 0 else { return false }
    guard let stream = fdopendir(again) else {
      close(again)
      return false
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { return false }
    }
    return true
  }

  /// The regular file that a path below this folder leads to, also through links; nil if there certainly is none.
  ///
  /// - Throws: If that cannot be determined.
  package func regularFile(at path: BytePath) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      let status = try status(of: path, 0)
      return status.st_mode & S_IFMT == S_IFREG ? FileStatus(status) : nil
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw error
    }
  }

  /// Whether a path below this folder, or a folder on the way to it, is a symbolic link.
  package func leadsThroughLink(_ path: BytePath) -> Bool {
    let ends = path.bytes.indices.filter { path.bytes[$0] == UInt8(ascii: "/") } + [path.bytes.count]
    return ends.contains { end in
      let status = try? status(of: BytePath(path.bytes[..<end]), AT_SYMLINK_NOFOLLOW)
      return status.map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    }
  }

  private func status(of path: BytePath, _ flags: Int32) throws(SystemError) -> stat {
    try withShortPath(path, at: rawValue) { parent, rest throws(SystemError) in
      var information = stat()
      guard fstatat(parent, rest, &information, flags) == 0 else { throw SystemError(call: "stat") }
      return information
    }
  }
}

/// Calls `body` with a folder and the rest of the path below it, which is short enough for one system call: longer
/// paths are walked folder by folder.
private func withShortPath<Result>(
  _ path: BytePath, at start: Int32, _ body: (Int32, UnsafePointer<CChar>) throws(SystemError) -> Result
) throws(SystemError) -> Result {
  guard !path.bytes.contains(0) else { throw SystemError(call: "open", code: EINVAL, detail: "a path with a NUL byte") }
  var parent = start
  defer { if parent != start { close(parent) } }
  var rest = path.bytes[...]
  while rest.count >= Int(PATH_MAX) {
    guard let slash = rest.prefix(Int(PATH_MAX) - 1).lastIndex(of: UInt8(ascii: "/")) else {
      throw SystemError(call: "open", code: ENAMETOOLONG)
    }
    let head = rest.prefix(upTo: slash).map { CChar(bitPattern: $0) } + [0]
    let next = openat(parent, head, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard next >= 0 else { throw SystemError(call: "open") }
    if parent != start { close(parent) }
    parent = next
    rest = rest.suffix(from: slash + 1)
  }
  let name = rest.map { CChar(bitPattern: $0) } + [0]
  return try body(parent, name)
}
