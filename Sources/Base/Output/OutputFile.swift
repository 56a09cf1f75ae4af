internal import CPosix
internal import Glibc

/// A file for results, which is replaced completely or not at all.
package struct OutputFile: Hashable, Sendable {
  private let path: BytePath
  private let replaces: Bool

  /// - Parameter replaces: Whether a regular file that exists is replaced. Otherwise it is an error: before anything is
  ///   written, and again if one appears meanwhile.
  package init(_ path: BytePath, replaces: Bool = true) {
    self.path = path
    self.replaces = replaces
  }

  /// Whether a file exists that would be replaced.
  package var exists: Bool { FileIdentity(of: path) != nil }

  /// Writes all bytes.
  ///
  /// A regular file is written in the same folder and then renamed, so that it is never visible half written. A
  /// symbolic link is followed; a device, a pipe or an open descriptor (`/dev/stdout`) is written to directly.
  /// - Parameter inputs: files that must not be replaced, under any of their names.
  package func write(_ bytes: [UInt8], protecting inputs: [BytePath] = []) throws(OutputError) {
    try write(bytes, protecting: InputFiles(inputs))
  }

  /// The same, for inputs that were already identified.
  package func write(_ bytes: [UInt8], protecting inputs: InputFiles) throws(OutputError) {
    let output = try begin(protecting: inputs)
    try output.append(bytes)
    try output.commit()
  }

  /// The same for bytes that come in parts.
  package func begin(protecting inputs: [BytePath] = []) throws(OutputError) -> PendingOutput {
    try begin(protecting: InputFiles(inputs))
  }

  /// The same, for inputs that were already identified.
  package func begin(protecting inputs: InputFiles) throws(OutputError) -> PendingOutput {
    var present = stat()
    if let number = Self.openDescriptor(path) {
      let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0, fstat(descriptor, &present) == 0 else { throw failure(errno) }
      guard !inputs.contains(FileIdentity(present)) else {
        close(descriptor)
        throw .wouldReplaceInput(path: path.displayString)
      }
      return PendingOutput(
        asked: path, path: path, replaces: replaces, temporary: .none, formerMode: nil, descriptor: descriptor)
    }
    let target = target
    var formerMode: mode_t?
    if target.withCString({ stat($0, &present) }) == 0 {
      guard !inputs.contains(FileIdentity(present)), !inputs.contains(target) else {
        throw .wouldReplaceInput(path: path.displayString)
      }
      guard present.st_mode & S_IFMT == S_IFREG else {
        let descriptor = target.withCString { open($0, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw failure(errno) }
        return PendingOutput(
          asked: path, path: target, replaces: replaces, temporary: .none, formerMode: nil, descriptor: descriptor)
      }
      guard replaces else { throw .exists(path: path.displayString) }
      formerMode = present.st_mode & 0o777
    }
    let mode = formerMode ?? 0o666
    let nameless = Self.openNameless(beside: target, mode: mode)
    if nameless >= 0 {
      return PendingOutput(
        asked: path, path: target, replaces: replaces, temporary: .nameless, formerMode: formerMode,
        descriptor: nameless)
    }
    let (temporary, descriptor) = Self.createTemporary(beside: target, mode: mode)
    guard descriptor >= 0 else { throw failure(-descriptor) }
    return PendingOutput(
      asked: path, path: target, replaces: replaces, temporary: .named(temporary), formerMode: formerMode,
      descriptor: descriptor)
  }

  /// The file that will be written: the target of a symbolic link, even if it does not exist yet.
  package var target: BytePath { Self.resolved(path) }

  private func failure(_ code: Int32) -> OutputError {
    .writing(path: path.displayString, code: code)
  }

  /// Creates an empty file without a name on the file system of `path`, so that nothing remains if the process is
  /// killed; negative if the file system does not support such files.
  private static func openNameless(beside path: BytePath, mode: mode_t) -> Int32 {
    folder(of: path).withCString { dw_open_nameless($0, mode) }
  }

  /// The number of an open descriptor of this process that a path names, such as `/dev/stdout` or `/dev/fd/63`; nil for
  /// other paths. What it leads to was opened by another program, so it is written to and not replaced.
  private static func openDescriptor(_ path: BytePath, linkCount: Int = 0) -> Int32? {
    let parent = folder(of: path).withCString { realpath($0, nil) }
    defer { free(parent) }
    if let parent, String(cString: parent) == "/proc/\(getpid())/fd" {
      return Int32(path.lastComponent.displayString)
    }
    guard linkCount < 40, let link = linkTarget(of: path) else { return nil }
    let next = link.bytes.first == UInt8(ascii: "/") ? link : folder(of: path).appending(link)
    return openDescriptor(next, linkCount: linkCount + 1)
  }

  /// The folder of a file; the working directory for a bare name.
  static func folder(of path: BytePath) -> BytePath {
    let hasFolder = path.bytes.contains(UInt8(ascii: "/"))
    if path.parent.bytes.isEmpty { return BytePath(hasFolder ? "/" : ".") }
    return path.parent
  }

  /// A name that no other file in the folder of `path` is likely to have.
  static func temporaryName(beside path: BytePath) -> BytePath {
    folder(of: path).appending(BytePath(".deadwax-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"))
  }

  /// Creates an empty file in the folder of `path`; on failure the descriptor is the negated error number.
  static func createTemporary(beside path: BytePath, mode: mode_t) -> (BytePath, Int32) {
    for _ in 0..<100 {
      let temporary = temporaryName(beside: path)
      let descriptor = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
      if descriptor >= 0 { return (temporary, descriptor) }
      if errno != EEXIST { return (temporary, -errno) }
    }
    return (path, -EEXIST)
  }

  private static func resolved(_ path: BytePath, linkCount: Int = 0) -> BytePath {
    if let real = try? path.resolved() { return real }
    guard linkCount < 40, let target = linkTarget(of: path) else { return path }
    return resolved(
      target.bytes.first == UInt8(ascii: "/") ? target : folder(of: path).appending(target), linkCount: linkCount + 1)
  }

  /// The target of a symbolic link; nil if `path` is not a link.
  private static func linkTarget(of path: BytePath) -> BytePath? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = path.withCString { readlink($0, &bytes, bytes.count) }
    return count > 0 ? BytePath(bytes.prefix(count).map { UInt8(bitPattern: $0) }) : nil
  }
}

/// Input files, which are never overwritten under any of their names.
package struct InputFiles: Sendable {
  private let identities: Set<FileIdentity>
  /// Besides the identities, which some file systems make up anew for each look.
  private let paths: Set<BytePath>

  /// - Complexity: one `stat` per file.
  package init(_ paths: some Sequence<BytePath>) {
    self.paths = Set(paths)
    identities = Set(self.paths.compactMap { FileIdentity(of: $0) })
  }

  func contains(_ file: FileIdentity) -> Bool { identities.contains(file) }

  /// - Parameter path: resolved.
  func contains(_ path: BytePath) -> Bool { paths.contains(path) }
}

/// Why a file could not be written.
package enum OutputError: Error, Hashable, CustomStringConvertible {
  /// The output file is one of the input files.
  case wouldReplaceInput(path: String)
  /// A file that must not be replaced has that name.
  case exists(path: String)
  /// A failed write, with the error number of the system.
  case writing(path: String, code: Int32)

  /// Whether no other file can be written to that folder either, because the cause is not the name of the file.
  package var concernsWholeFolder: Bool {
    guard case .writing(_, let code) = self else { return false }
    return ![EISDIR, ENAMETOOLONG, EEXIST, ELOOP, EILSEQ, EINVAL].contains(code)
  }

  package var description: String {
    switch self {
    case .wouldReplaceInput(let path):
      "\(path): is an input file or a music file of the library, which is never written"
    case .exists(let path): "\(path): already exists"
    case .writing(let path, let code): "\(path): \(String(cString: strerror(code)))"
    }
  }
}
