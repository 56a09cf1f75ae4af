internal import Glibc
internal import MediaModel

/// What processes leave beside a library when they are killed while they make it.
enum LibraryLeftovers {
  /// SQLite's files come first: without the file itself nobody would find them again.
  static let suffixes = logSuffixes + [""]
  private static let logSuffixes = ["-journal", "-wal", "-shm"]

  /// SQLite's own files beside a library, as far as they are there.
  static func logs(beside path: BytePath) -> [BytePath] {
    logSuffixes.map { BytePath(path.bytes + Array($0.utf8)) }.filter { LibraryPath.exists($0) }
  }

  /// Makes an empty file beside `path`, private whatever the umask, in which a library is built until it gets its name.
  static func reserve(for path: BytePath) throws(StoreError) -> BytePath {
    removeAll(beside: path)
    for attempt in 0..<8 {
      let place = Self.place(for: path, attempt: attempt)
      let descriptor = place.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      if descriptor >= 0 {
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw .system(errno, "cannot create", at: path) }
        return place
      }
      guard errno == EEXIST else { throw .system(errno, "cannot create", at: path) }
    }
    throw .inputOutput(path, reason: "cannot create: names beside it are taken")
  }

  /// Where one attempt of this process builds.
  private static func place(for path: BytePath, attempt: Int) -> BytePath {
    BytePath(path.bytes + Array(".new-\(getpid())-\(attempt)".utf8))
  }

  static func remove(_ place: BytePath) {
    for suffix in suffixes { _ = BytePath(place.bytes + Array(suffix.utf8)).withCString { unlink($0) } }
  }

  /// Removes what belongs to nobody any more: its process is gone, and no process anywhere holds its lock.
  static func removeAll(beside path: BytePath) {
    for place in places(beside: path) {
      guard let file = try? LibraryFile(at: place) else { continue }
      if (try? file.tryLock(.scan)) == true { remove(place) }
      file.close()
    }
  }

  /// Names of unfinished libraries, and of a journal that belongs to none: libraries have a write-ahead log.
  static func names(beside path: BytePath) -> [BytePath] {
    let journal = BytePath(path.bytes + Array("-journal".utf8))
    return (places(beside: path) + (LibraryPath.exists(journal) ? [journal] : [])).map(\.lastComponent)
  }

  /// Unfinished libraries, and unfinished copies of them, whose process does not run here.
  private static func places(beside path: BytePath) -> [BytePath] {
    let folder = path.folder
    guard let names = try? LibraryPath.names(in: folder) else { return [] }
    let start = path.lastComponent.bytes
    return names.filter { name in
      guard name.starts(with: start), let process = maker(of: name.dropFirst(start.count)) else { return false }
      return kill(process, 0) != 0 && errno == ESRCH
    }.map { folder.appending(BytePath($0)) }
  }

  /// Whether a file of that name is a library on its way, of whatever process.
  static func isUnfinished(_ name: [UInt8]) -> Bool {
    name.firstIndex(of: UInt8(ascii: ".")).flatMap { maker(of: name[$0...]) } != nil
  }

  /// The process that builds at a place, from what stands behind the library's name: `.new-PROCESS-ATTEMPT`, and before it
  /// what the copy is to be called, as in `.before-TIME`.
  private static func maker(of suffix: ArraySlice<UInt8>) -> Int32? {
    guard suffix.first == UInt8(ascii: "."), let last = suffix.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let parts = suffix[last...].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(".new".utf8),
      parts[1...].allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }),
      let process = Int32(String(decoding: parts[1], as: UTF8.self)), process > 0
    else { return nil }
    return process
  }
}
