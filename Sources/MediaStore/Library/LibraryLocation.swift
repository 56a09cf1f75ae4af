internal import Base
internal import Glibc

/// Paths of libraries and of files beside them.
enum LibraryPath {
  /// An absolute path without symbolic links, so that SQLite's own files lie beside the library itself.
  static func resolved(_ path: BytePath) throws(StoreError) -> BytePath {
    do throws(SystemError) {
      return try path.resolved()
    } catch {
      guard error.code == ENOENT else { throw .system(error.code, "cannot open", at: path) }
    }
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) != 0 else {
      throw .inputOutput(path, reason: "a symbolic link to nothing")
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
  static func exists(_ path: BytePath) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0
  }

  /// A free name for a copy beside a library, made before a large change.
  static func freeName(toKeep path: BytePath) -> BytePath { freeName(for: path, "before") }

  /// A free name beside a file: `NAME.PURPOSE-TIME`.
  static func freeName(for path: BytePath, _ purpose: String) -> BytePath {
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
  static func requireOutput(_ path: BytePath, movesLogs: Bool = false) throws(StoreError) {
    if let database = database(withLog: path), exists(database) {
      throw .inputOutput(
        path, reason: "under this name SQLite keeps its own file beside \(database.displayString); choose another")
    }
    guard !movesLogs, !exists(path), let log = LibraryLeftovers.logs(beside: path).first else { return }
    throw .inputOutput(
      path, reason: "\(log.lastComponent.displayString) lies beside it, and SQLite would apply it; choose another name")
  }

  /// The database beside which SQLite would keep a file of this name; nil if it would not, whatever exists.
  ///
  /// In any case: `-WAL` is `-wal` on a disk that ignores case.
  static func database(withLog path: BytePath) -> BytePath? {
    for suffix in LibraryLeftovers.logSuffixes
    where String(decoding: path.bytes.suffix(suffix.utf8.count), as: UTF8.self).lowercased() == suffix {
      return BytePath(path.bytes.dropLast(suffix.utf8.count))
    }
    return nil
  }

  /// The names in a folder, including `.` and `..`, in any order.
  static func names(in folder: BytePath) throws(StoreError) -> [[UInt8]] {
    guard let stream = folder.withCString({ opendir($0) }) else { throw .system(errno, "cannot list", at: folder) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names
  }

  /// The absolute paths that a user may mean by a path: as written, without `.` and `..`, and without symbolic links.
  static func candidates(for path: BytePath, in workingDirectory: BytePath?) -> [BytePath] {
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

/// How SQLite opens a library.
struct LibraryLocation {
  let path: String
  /// Whether SQLite must be kept from writing.
  let isReadOnly: Bool
  /// Why the library must not be written to under this name; nil if that was not examined.
  let secondName: SecondName?

  /// A reader opens the file for writing if possible, although it never writes: otherwise SQLite would leave its `-wal`
  /// and `-shm` behind. On read-only media and full disks, where these cannot be created, a file that nobody has open
  /// is declared immutable. So is one with a second name, unless there is a log beside this name: its log must not be
  /// written back, because nobody knows who reads it under the other one.
  ///
  /// - Throws: if the library must not be written to, which `forWriting` asks for.
  init(of library: LibraryFile, forWriting: Bool) throws(StoreError) {
    secondName = library.secondName
    if forWriting, let secondName { throw .inputOutput(library.path, reason: secondName.refusal) }
    let hasLog = library.hasWriteAheadLog
    let hasSpace = forWriting || !library.isDiskFull || hasLog || library.isOpenInSQLite
    let isWritable = library.isWritable && library.folderIsWritable && hasSpace
    guard isWritable || !forWriting else { throw .readOnly(library.path) }
    isReadOnly = !isWritable || secondName != nil
    guard isWritable || !hasLog || library.hasSharedMemory else {
      throw .inputOutput(
        library.path,
        reason: "its last writer was killed, and recovery needs a writable folder: copy it together with its -wal")
    }
    let isInUse = secondName == nil ? isWritable || hasLog || library.isOpenInSQLite : hasLog
    path = isInUse ? library.pathForSQLite : Self.immutable(library.path)
  }

  /// For reading a library that is probably not in use: nothing is written, not even beside it.
  init(resting library: LibraryFile) throws(StoreError) {
    guard !library.hasWriteAheadLog else {
      self = try LibraryLocation(of: library, forWriting: false)
      return
    }
    secondName = nil
    isReadOnly = true
    path = Self.immutable(library.path)
  }

  private static func immutable(_ path: BytePath) -> String { uri(of: path, "immutable=1") }

  /// For a second connection of this process that only reads, as long as the first one is open. Even a transaction that
  /// begins by asking for the right to write only reads this library.
  static func attached(_ library: LibraryFile) -> String { uri(of: library.path, "mode=ro") }

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
