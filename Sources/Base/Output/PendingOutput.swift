internal import Glibc

/// An output file that is being written: bytes are added, then ``commit()`` puts it in place. Without that, nothing
/// remains.
///
/// A device or pipe is written to directly and immediately.
package final class PendingOutput {
  private static let bufferCapacity = 64 << 10

  /// Where the bytes are until the commit.
  enum Temporary {
    /// Written immediately to a device or pipe.
    case none
    /// In a file without a name.
    case nameless
    case named(BytePath)
  }

  private let asked: BytePath
  private let path: BytePath
  private let replaces: Bool
  private var temporary: Temporary
  /// The mode of the file that is replaced; nil if there is none.
  private let formerMode: mode_t?
  private var descriptor: Int32
  /// Collects small parts, so that writes are large.
  private var buffer: [UInt8] = []

  init(
    asked: BytePath, path: BytePath, replaces: Bool, temporary: Temporary, formerMode: mode_t?, descriptor: Int32
  ) {
    self.asked = asked
    self.path = path
    self.replaces = replaces
    self.temporary = temporary
    self.formerMode = formerMode
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    if case .named(let name) = temporary { _ = name.withCString(unlink) }
  }

  /// Whether the first bytes can be replaced afterwards.
  package var isReplaceable: Bool { if case .none = temporary { false } else { true } }

  /// Appends bytes.
  package func append(_ bytes: some Sequence<UInt8>) throws(OutputError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferCapacity { try flush() }
  }

  /// Replaces the first bytes; requires ``isReplaceable``.
  package func replaceStart(with bytes: [UInt8]) throws(OutputError) {
    try flush()
    try write(bytes, at: 0)
  }

  private func flush() throws(OutputError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try write(buffer)
  }

  private func write(_ bytes: [UInt8], at offset: Int64? = nil) throws(OutputError) {
    do throws(SystemError) { try DescriptorBytes.write(bytes, to: descriptor, at: offset) } catch {
      try check(error.code)
    }
  }

  /// Puts the file in place. Call this once, at the end.
  package func commit() throws(OutputError) {
    try flush()
    var code: Int32 = 0
    if isReplaceable {
      code = settle()
      if code == 0 { code = giveName() }
    }
    if Glibc.close(descriptor) != 0, code == 0 { code = errno }
    descriptor = -1
    if code == 0 { code = rename() }
    try check(code)
  }

  /// Makes sure that bytes and mode are on the disk. A replaced file keeps its mode; a new one gets 0666 minus the umask.
  private func settle() -> Int32 {
    if let formerMode, fchmod(descriptor, formerMode) != 0 { return errno }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  /// Gives a nameless file a temporary name in the target folder, because only a rename can replace an existing file.
  private func giveName() -> Int32 {
    guard case .nameless = temporary else { return 0 }
    for _ in 0..<100 {
      let name = OutputFile.temporaryName(beside: path)
      let isNamed = name.withCString { to in
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0
      }
      if isNamed {
        temporary = .named(name)
        return 0
      }
      if errno != EEXIST { return copy() }
    }
    return EEXIST
  }

  /// Copies a nameless file into one with a temporary name: without hard links, or without /proc.
  private func copy() -> Int32 {
    let source = descriptor
    let (name, target) = OutputFile.createTemporary(beside: path, mode: formerMode ?? 0o666)
    guard target >= 0 else { return -target }
    (temporary, descriptor) = (.named(name), target)
    defer { Glibc.close(source) }
    var offset: Int64 = 0
    do throws(SystemError) {
      while true {
        let piece = try DescriptorBytes.bytes(from: source, count: Self.bufferCapacity, at: offset)
        guard !piece.isEmpty else { return settle() }
        try DescriptorBytes.write(piece, to: descriptor)
        offset += Int64(piece.count)
      }
    } catch {
      return error.code
    }
  }

  private func rename() -> Int32 {
    guard case .named(let name) = temporary else { return 0 }
    let isMoved = name.withCString { from in
      path.withCString { replaces ? Glibc.rename(from, $0) == 0 : Self.move(from, toNew: $0) }
    }
    guard isMoved else { return errno }
    temporary = .none
    return 0
  }

  /// Renames unless there is a file with the new name. A file system without hard links may replace one that appeared
  /// just now.
  private static func move(_ from: UnsafePointer<CChar>, toNew to: UnsafePointer<CChar>) -> Bool {
    guard link(from, to) != 0 else {
      unlink(from)
      return true
    }
    return [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) && Glibc.rename(from, to) == 0
  }

  private func check(_ code: Int32) throws(OutputError) {
    guard code != 0 else { return }
    if code == EEXIST, !replaces { throw .exists(path: asked.displayString) }
    throw .writing(path: asked.displayString, code: code)
  }
}

/// A temporary file without a name, for output that must be complete before it can go into a pipe.
package final class SpooledOutput {
  private let descriptor: Int32

  /// In `$TMPDIR`, otherwise in `/tmp`.
  package init() throws(OutputError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(folder.isEmpty ? "/tmp" : folder)/deadwax-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Self.failure(errno) }
    unlink(template)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func append(_ bytes: [UInt8]) throws(OutputError) {
    try reporting { () throws(SystemError) in try DescriptorBytes.write(bytes, to: descriptor) }
  }

  /// A path under which this process can open the file again while this object lives.
  package var path: BytePath { BytePath("/proc/self/fd/\(descriptor)") }

  package func replaceStart(with bytes: [UInt8]) throws(OutputError) {
    try reporting { () throws(SystemError) in try DescriptorBytes.write(bytes, to: descriptor, at: 0) }
  }

  /// Passes on all bytes, in order.
  package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    var offset: Int64 = 0
    while true {
      let piece = try reporting { () throws(SystemError) in
        try DescriptorBytes.bytes(from: descriptor, count: 1 << 16, at: offset)
      }
      guard !piece.isEmpty else { return }
      try body(piece)
      offset += Int64(piece.count)
    }
  }

  private func reporting<Result>(_ body: () throws(SystemError) -> Result) throws(OutputError) -> Result {
    do throws(SystemError) { return try body() } catch { throw Self.failure(error.code) }
  }

  private static func failure(_ code: Int32) -> OutputError {
    .writing(path: "a temporary file", code: code)
  }
}
