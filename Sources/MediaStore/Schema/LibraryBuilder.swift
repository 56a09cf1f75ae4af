internal import Base
internal import Glibc
internal import GRDB

/// Creates a new, empty library in one step: other processes see none or a complete one.
enum LibraryBuilder {
  /// Builds a library beside `path` and links it into place. If another process was faster, its library stays.
  ///
  /// Missing folders are created with mode 0700; the file has 0600.
  static func create(at path: BytePath) throws(StoreError) {
    try makeFolders(for: path)
    let temporary = try LibraryLeftovers.reserve(for: path)
    defer { LibraryLeftovers.remove(temporary) }
    try build(at: temporary, for: path)
    if try link(temporary, to: path) { try synchronizeFolder(of: path) }
  }

  private static func build(at temporary: BytePath, for path: BytePath) throws(StoreError) {
    let library = try LibraryFile(at: temporary)
    defer { library.close() }
    // Marks the file as being worked on, until this process ends.
    _ = try library.tryLock(.scan)
    do {
      try DatabaseQueue.withDatabase(at: library.pathForSQLite) { queue in
        try queue.writeWithoutTransaction { db in
          // Nobody sees the file before it is complete and synchronized, so no statement needs to be durable by itself.
          try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
          // Settings of the whole file must come before the first table, outside of a transaction.
          try db.execute(sql: String(decoding: PackageResources.schema_sql, as: UTF8.self))
          try db.execute(sql: "PRAGMA journal_mode = \(library.journalMode)")
        }
      }
    } catch {
      throw StoreError(error, at: library).naming(path)
    }
    try library.synchronize()
  }

  /// Links a file to its final path; false if there is a file already.
  static func link(_ temporary: BytePath, to path: BytePath) throws(StoreError) -> Bool {
    let result = temporary.withCString { from in path.withCString { Glibc.link(from, $0) } }
    if result == 0 { return true }
    var code = errno
    if code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK {
      // On a file system without hard links, such as FAT, two processes that create a library at the same instant
      // cannot be told apart.
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) != 0 else { return false }
      if temporary.withCString({ from in path.withCString { rename(from, $0) } }) == 0 { return true }
      code = errno
    }
    guard code == EEXIST else { throw .system(code, "cannot create", at: path) }
    return false
  }

  /// Creates missing folders above a path, with mode 0700.
  static func makeFolders(for path: BytePath) throws(StoreError) { try makeFolders(path.parent, for: path) }

  private static func makeFolders(_ folder: BytePath, for path: BytePath) throws(StoreError) {
    guard !folder.bytes.isEmpty else { return }
    if makePrivateFolder(folder) { return }
    switch errno {
    case EEXIST: return
    case ENOENT:
      try makeFolders(folder.parent, for: path)
      guard makePrivateFolder(folder) || errno == EEXIST else {
        throw .system(errno, "cannot make its folder", at: path)
      }
    default: throw .system(errno, "cannot make its folder", at: path)
    }
  }

  /// Ignores the umask; false with the reason in `errno`.
  private static func makePrivateFolder(_ folder: BytePath) -> Bool {
    folder.withCString { mkdir($0, 0o700) == 0 && chmod($0, 0o700) == 0 }
  }

  /// Makes sure that the name of a new file is on the disk.
  static func synchronizeFolder(of path: BytePath) throws(StoreError) {
    let descriptor = path.folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    defer { _ = Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(errno, "cannot create", at: path) }
  }
}
