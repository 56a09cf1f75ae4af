internal import Base
internal import Glibc

/// Files that killed processes left beside a library.
enum LibraryLeftovers {
  /// SQLite's files are removed first: without the main file nobody would find them again.
  static let suffixes = logSuffixes + [""]
  private static let logSuffixes = ["-journal", "-wal", "-shm"]

  /// SQLite's own files that exist beside a library.
  static func logs(beside path: BytePath) -> [BytePath] {
    logSuffixes.map { BytePath(path.bytes + Array($0.utf8)) }.filter { LibraryPath.exists($0) }
  }

  /// Creates an empty temporary file beside `path`, with mode 0600 whatever the umask, for building a library in it.
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

  /// The temporary name of one attempt of this process.
  private static func place(for path: BytePath, attempt: Int) -> BytePath {
    BytePath(path.bytes + Array(".new-\(getpid())-\(attempt)".utf8))
  }

  static func remove(_ place: BytePath) {
    for suffix in suffixes { _ = BytePath(place.bytes + Array(suffix.utf8)).withCString { unlink($0) } }
  }

  /// Removes temporary files whose process has ended and whose lock nobody holds.
  static func removeAll(beside path: BytePath) {
    for place in places(beside: path) {
      guard let file = try? LibraryFile(at: place) else { continue }
      if (try? file.tryLock(.scan)) == true { remove(place) }
      file.close()
    }
  }

  /// Names of unfinished libraries, and of a journal, which no library has: libraries have a write-ahead log.
  static func names(beside path: BytePath) -> [BytePath] {
    let journal = BytePath(path.bytes + Array("-journal".utf8))
    return (places(beside: path) + (LibraryPath.exists(journal) ? [journal] : [])).map(\.lastComponent)
  }

  /// Unfinished libraries and copies whose process does not run on this machine.
  private static func places(beside path: BytePath) -> [BytePath] {
    let folder = path.folder
    guard let names = try? LibraryPath.names(in: folder) else { return [] }
    let start = path.lastComponent.bytes
    return names.filter { name in
      guard name.starts(with: start), let process = maker(of: name.dropFirst(start.count)) else { return false }
      return kill(process, 0) != 0 && errno == ESRCH
    }.map { folder.appending(BytePath($0)) }
  }

  /// Whether a file name is that of an unfinished library, of any process.
  static func isUnfinished(_ name: [UInt8]) -> Bool {
    name.firstIndex(of: UInt8(ascii: ".")).flatMap { maker(of: name[$0...]) } != nil
  }

  /// The process that works on a temporary file, from the end of its name: `.new-PROCESS-ATTEMPT`, after the name of
  /// the finished file, such as `library.sqlite.before-TIME`.
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
