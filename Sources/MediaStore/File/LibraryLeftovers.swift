package import Base
internal import Glibc

/// Unfinished libraries and copies, and what killed processes left of them beside a library.
///
/// Unfinished work is one file in a folder of its own, `library.sqlite.new-PROCESS-ATTEMPT`, with SQLite's own files
/// beside it. Its maker holds a lock on the file. So what may be removed is known by what it is, never by its name
/// alone: a backup or text that has such a name is a file, and stays.
package enum LibraryLeftovers {
  /// SQLite's files are removed first: without the main file nobody would find them again.
  static let suffixes = logSuffixes + [""]
  static let logSuffixes = ["-journal", "-wal", "-shm"]

  /// The name of the unfinished file in its folder.
  private static let fileName = BytePath("new")
  private static let attempts = 0..<8

  /// SQLite's own files that exist beside a library.
  package static func logs(beside path: BytePath) -> [BytePath] {
    logSuffixes.map { BytePath(path.bytes + Array($0.utf8)) }.filter { LibraryPath.exists($0) }
  }

  /// Creates an empty temporary file in a folder of its own beside `path`, for building a library in it. Only their
  /// user may open them, whatever the umask.
  package static func reserve(for path: BytePath) throws(StoreError) -> BytePath {
    removeAll(beside: path)
    for attempt in attempts {
      let folder = BytePath(path.bytes + Array(".new-\(getpid())-\(attempt)".utf8))
      guard folder.withCString({ mkdir($0, 0o700) }) == 0 else {
        guard errno == EEXIST else { throw .system(errno, "cannot create", at: path) }
        continue
      }
      let place = folder.appending(fileName)
      do throws(SystemError) {
        guard folder.withCString({ chmod($0, 0o700) }) == 0 else { throw SystemError(call: "create") }
        let descriptor = place.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw SystemError(call: "create") }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw SystemError(call: "create") }
      } catch {
        remove(place)
        throw .system(error.code, "cannot create", at: path)
      }
      return place
    }
    throw .inputOutput(path, reason: "cannot create: the names for temporary files are taken")
  }

  /// Removes a file, what SQLite has beside it, and its folder if that was made for it.
  package static func remove(_ place: BytePath) {
    for suffix in suffixes { _ = BytePath(place.bytes + Array(suffix.utf8)).withCString { unlink($0) } }
    if maker(of: place.folder.lastComponent) != nil { _ = place.folder.withCString { rmdir($0) } }
  }

  /// Removes the unfinished work of processes that have ended and whose lock nobody holds: all of it in the folder of
  /// `path`, because nobody may come back for the same name.
  package static func removeAll(beside path: BytePath) {
    for place in places(beside: path) {
      guard let file = try? LibraryFile(at: place) else {
        // It was moved to its place already, or never created.
        if !LibraryPath.exists(place) { remove(place) }
        continue
      }
      if (try? file.tryLock(.scan)) == true { remove(place) }
      file.close()
    }
  }

  /// Removes the second names that killed processes gave a library.
  static func removeFileAliases(of library: LibraryFile) {
    let names = fileAliases(of: library).filter { maker(of: $0.folder.lastComponent) == nil }
    // A restoration that makes such a name now holds the lock.
    guard !names.isEmpty, (try? library.tryLock(.scan)) == true else { return }
    for name in names { _ = name.withCString { unlink($0) } }
    library.unlock(.scan)
  }

  /// The names that a library has while this program creates it, or replaces it and keeps the old one as
  /// `library.sqlite.before-TIME`.
  static func fileAliases(of library: LibraryFile) -> [BytePath] {
    let (folder, name) = (library.path.folder, library.path.lastComponent.bytes)
    let others = ((try? LibraryPath.names(in: folder)) ?? []).filter { $0.starts(with: name) && $0 != name }
    return others.map { folder.appending(BytePath($0)) }.flatMap { path in
      let suffix = path.bytes.dropFirst(library.path.bytes.count)
      // Until version 0.1.0 it was not in a folder.
      if maker(of: path) != nil { return [path.appending(fileName), path] }
      let isKept = suffix.starts(with: ".before-".utf8) && suffix.dropFirst(8).allSatisfy { isDigit($0) || $0 == 0x2D }
      return isKept ? [path] : []
    }.filter { library.isAlso(at: $0) }
  }

  /// Names of unfinished work whose process has ended, and of a journal, which no library has: libraries have a
  /// write-ahead log.
  package static func names(beside path: BytePath) -> [BytePath] {
    let journal = BytePath(path.bytes + Array("-journal".utf8))
    let unfinished = places(beside: path).map { $0.lastComponent == fileName ? $0.folder : $0 }
    return (unfinished + (LibraryPath.exists(journal) ? [journal] : [])).map(\.lastComponent)
  }

  /// Unfinished work whose process does not run on this machine.
  private static func places(beside path: BytePath) -> [BytePath] {
    let folder = path.folder
    guard let names = try? LibraryPath.names(in: folder) else { return [] }
    let start = path.lastComponent.bytes
    return names.compactMap { name in
      guard let process = maker(of: BytePath(name)), kill(process, 0) != 0, errno == ESRCH else { return nil }
      let place = folder.appending(BytePath(name))
      if isWorkFolder(place) { return place.appending(fileName) }
      // Until version 0.1.0 there was no folder: what has no bytes, or is the library itself, may go.
      return name.starts(with: start) && isEmptyOrSame(place, as: path) ? place : nil
    }
  }

  /// Whether it is a folder with nothing in it that is not of unfinished work.
  private static func isWorkFolder(_ path: BytePath) -> Bool {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR,
      let names = try? LibraryPath.names(in: path)
    else { return false }
    let ours = [".", ".."] + suffixes.map { fileName.displayString + $0 }
    return names.allSatisfy { name in ours.contains { $0.utf8.elementsEqual(name) } }
  }

  private static func isEmptyOrSame(_ path: BytePath, as library: BytePath) -> Bool {
    func status(_ path: BytePath) -> stat? {
      var status = stat()
      return path.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }
    guard let found = status(path) else { return false }
    let companions = logSuffixes.compactMap { status(BytePath(path.bytes + Array($0.utf8))) }
    if found.st_size == 0 { return companions.allSatisfy { $0.st_size == 0 } }
    return companions.isEmpty && status(library).map(FileIdentity.init) == FileIdentity(found)
  }

  /// The process that works on something unfinished, from the end of its name: `.new-PROCESS-ATTEMPT`, after the name
  /// of the finished file, such as `library.sqlite.before-TIME`; nil for other names.
  private static func maker(of path: BytePath) -> Int32? {
    let name = path.lastComponent.bytes
    guard let last = name.lastIndex(of: UInt8(ascii: ".")), last > 0 else { return nil }
    let parts = name[last...].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(".new".utf8),
      parts[1...].allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }),
      let process = Int32(String(decoding: parts[1], as: UTF8.self)), process > 0,
      let attempt = Int(String(decoding: parts[2], as: UTF8.self)), attempts.contains(attempt)
    else { return nil }
    return process
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
