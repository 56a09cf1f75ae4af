package import Base
internal import Glibc

/// Paths of libraries and of files beside them.
package enum LibraryPath {
  /// An absolute path without symbolic links, so that SQLite's own files lie beside the library itself.
  package static func resolved(_ path: BytePath) throws(StoreError) -> BytePath {
    do throws(SystemError) {
      return try path.resolved()
    } catch {
      guard error.code == ENOENT else { throw .system(error.code, "cannot open", at: path) }
    }
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) != 0 else {
      throw .inputOutput(path, reason: "a dangling symbolic link")
    }
    let name = path.lastComponent
    guard !name.bytes.isEmpty else { throw .notALibrary(path, reason: "not a regular file") }
    let folder = path.bytes.contains(UInt8(ascii: "/")) ? path.folder : BytePath(".")
    if let real = try? folder.resolved() { return real.appending(name) }
    return path.bytes.first == UInt8(ascii: "/") ? path : (real(BytePath(".")) ?? BytePath("")).appending(path)
  }

  private static func real(_ path: BytePath) -> BytePath? {
    guard let found = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return BytePath(UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) })
  }

  /// Whether there is any file with that name.
  package static func exists(_ path: BytePath) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0
  }

  /// A free name for a copy beside a library, made before a large change.
  package static func freeName(toKeep path: BytePath) -> BytePath { freeName(for: path, "before") }

  /// A free name beside a file: `NAME.PURPOSE-TIME`.
  package static func freeName(for path: BytePath, _ purpose: String) -> BytePath {
    let moment = Timestamp(secondsSince1970: Int64(time(nil))).description.filter { $0.isNumber }
    var name = BytePath(path.bytes + Array(".\(purpose)-\(moment)".utf8))
    var number = 2
    while exists(name) {
      name = BytePath(path.bytes + Array(".\(purpose)-\(moment)-\(number)".utf8))
      number += 1
    }
    return name
  }

  /// Refuses a name for a new file if SQLite keeps files of its own under it, or would apply what it keeps beside it.
  ///
  /// - Parameter movesLogs: whether the caller moves what lies beside the path out of the way.
  package static func requireOutput(_ path: BytePath, movesLogs: Bool = false) throws(StoreError) {
    if let database = database(withLog: path), exists(database) {
      throw .inputOutput(
        path, reason: "SQLite uses this name for its own file next to \(database.displayString); choose another")
    }
    guard !movesLogs, !exists(path), let log = LibraryLeftovers.logs(beside: path).first else { return }
    throw .inputOutput(
      path, reason: "\(log.lastComponent.displayString) is next to it, and SQLite would apply it; choose another name")
  }

  /// The database beside which SQLite would keep a file of this name; nil if it would not, whatever exists.
  ///
  /// In any case: `-WAL` is `-wal` on a disk that ignores case.
  package static func database(withLog path: BytePath) -> BytePath? {
    for suffix in LibraryLeftovers.logSuffixes
    where String(decoding: path.bytes.suffix(suffix.utf8.count), as: UTF8.self).lowercased() == suffix {
      return BytePath(path.bytes.dropLast(suffix.utf8.count))
    }
    return nil
  }

  /// The names in a folder, including `.` and `..`, in any order.
  package static func names(in folder: BytePath) throws(StoreError) -> [[UInt8]] {
    guard let stream = folder.withCString({ opendir($0) }) else { throw .system(errno, "cannot list", at: folder) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names
  }

  /// The absolute paths that a user may mean by a path: as written, without `.` and `..`, and without symbolic links.
  package static func candidates(for path: BytePath, in workingDirectory: BytePath?) -> [BytePath] {
    guard !path.bytes.isEmpty, !path.bytes.contains(0) else { return [] }
    let start = workingDirectory ?? real(BytePath(".")) ?? BytePath("/")
    let absolute = path.bytes.first == UInt8(ascii: "/") ? path : start.appending(path)
    let written = normalized(absolute)
    // After a symbolic link, `..` leads elsewhere than the text says: both may be meant.
    let resolved = (written == absolute ? [written] : [written, absolute]).flatMap { path in
      let folder = real(path.folder)
      return [folder?.appending(path.lastComponent), real(path)].compactMap { $0 }
    }
    return ([written] + resolved).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Without empty components, `.` and `..`.
  private static func normalized(_ path: BytePath) -> BytePath {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.bytes.split(separator: UInt8(ascii: "/")) {
      switch part {
      case [0x2E]: break
      case [0x2E, 0x2E]: _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return BytePath([UInt8(ascii: "/")] + parts.joined(separator: [UInt8(ascii: "/")]))
  }
}

// MARK: - Making files appear

extension LibraryPath {
  /// Links a file to its final path; false if there is a file already.
  package static func link(_ temporary: BytePath, to path: BytePath) throws(StoreError) -> Bool {
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
  package static func makeFolders(for path: BytePath) throws(StoreError) { try makeFolders(path.parent, for: path) }

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
  package static func synchronizeFolder(of path: BytePath) throws(StoreError) {
    let descriptor = path.folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    defer { _ = Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(errno, "cannot create", at: path) }
  }
}

/// How SQLite opens a library.
package struct LibraryLocation {
  package let path: String
  /// Whether SQLite must be kept from writing.
  package let isReadOnly: Bool
  /// Why the library must not be written to under this name; nil if that was not examined.
  package let alias: FileAlias?

  /// A reader opens the file for writing if possible, although it never writes: otherwise SQLite would leave its `-wal`
  /// and `-shm` behind. On read-only media and full disks, where these cannot be created, a file that nobody has open
  /// is declared immutable. So is one with a second name, unless there is a log beside this name: its log must not be
  /// written back, because nobody knows who reads it under the other one.
  ///
  /// - Throws: if the library must not be written to, which `forWriting` asks for.
  package init(of library: LibraryFile, forWriting: Bool) throws(StoreError) {
    alias = library.alias
    if forWriting, let alias { throw .inputOutput(library.path, reason: alias.refusal) }
    let hasLog = library.hasWriteAheadLog
    let hasSpace = forWriting || !library.isDiskFull || hasLog || library.isOpenInSQLite
    let isWritable = library.isWritable && library.folderIsWritable && hasSpace
    guard isWritable || !forWriting else { throw .readOnly(library.path) }
    isReadOnly = !isWritable || alias != nil
    guard isWritable || !hasLog || library.hasSharedMemory else {
      throw .inputOutput(
        library.path,
        reason: "its last writer was killed, and recovery needs a writable folder: copy it together with its -wal")
    }
    let isInUse = alias == nil ? isWritable || hasLog || library.isOpenInSQLite : hasLog
    path = isInUse ? library.pathForSQLite : Self.immutable(library.path)
  }

  /// For reading a library that is probably not in use: nothing is written, not even beside it.
  package init(resting library: LibraryFile) throws(StoreError) {
    guard !library.hasWriteAheadLog else {
      self = try LibraryLocation(of: library, forWriting: false)
      return
    }
    alias = nil
    isReadOnly = true
    path = Self.immutable(library.path)
  }

  private static func immutable(_ path: BytePath) -> String { uri(of: path, "immutable=1") }

  /// For a second connection of this process that only reads, as long as the first one is open. Even a transaction that
  /// begins by asking for the right to write only reads this library.
  package static func attached(_ library: LibraryFile) -> String { uri(of: library.path, "mode=ro") }

  private static func uri(of path: BytePath, _ query: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.".utf8)
    let hex = Array("0123456789ABCDEF")
    let encoded = path.bytes.map { byte in
      plain.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%" + String([hex[Int(byte >> 4)], hex[Int(byte & 15)]])
    }
    return "file://" + encoded.joined() + "?" + query
  }
}
