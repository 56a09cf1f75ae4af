internal import Glibc
package import MediaModel

/// A file that results are written to: replaced whole or not at all.
package struct OutputFile: Hashable, Sendable {
  private let path: BytePath

  package init(_ path: BytePath) { self.path = path }

  /// Whether something is there that would be replaced.
  package var exists: Bool { FileIdentity(path) != nil }

  /// Writes all bytes.
  ///
  /// A regular file is made beside its final place and renamed onto it, so that it is never seen half written; a symbolic
  /// link is followed, a device or pipe is written to as it is.
  /// - Parameter inputs: files that must not be replaced, under whatever name.
  package func write(_ bytes: [UInt8], protecting inputs: [BytePath] = []) throws(ExportError) {
    try write(bytes, protecting: InputFiles(inputs))
  }

  /// The same, for inputs that were looked at before.
  package func write(_ bytes: [UInt8], protecting inputs: InputFiles) throws(ExportError) {
    let output = try begin(protecting: inputs)
    try output.append(bytes)
    try output.commit()
  }

  /// The same for bytes that come one after the other.
  package func begin(protecting inputs: [BytePath] = []) throws(ExportError) -> PendingOutput {
    try begin(protecting: InputFiles(inputs))
  }

  /// The same, for inputs that were looked at before.
  package func begin(protecting inputs: InputFiles) throws(ExportError) -> PendingOutput {
    let target = target
    var formerMode: mode_t?
    if let present = FileIdentity(target) {
      guard !inputs.contains(present) else {
        throw .wouldReplaceInput(path: path.displayString)
      }
      guard present.isRegularFile else {
        let descriptor = target.withCString { open($0, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw failure(errno) }
        return PendingOutput(asked: path, path: target, temporary: .none, formerMode: nil, descriptor: descriptor)
      }
      formerMode = present.permissions
    }
    let mode = formerMode ?? 0o666
    let nameless = Self.openNameless(beside: target, mode: mode)
    if nameless >= 0 {
      return PendingOutput(
        asked: path, path: target, temporary: .nameless, formerMode: formerMode, descriptor: nameless)
    }
    let (temporary, descriptor) = Self.createTemporary(beside: target, mode: mode)
    guard descriptor >= 0 else { throw failure(-descriptor) }
    return PendingOutput(
      asked: path, path: target, temporary: .named(temporary), formerMode: formerMode, descriptor: descriptor)
  }

  /// What is written in the end: where a symbolic link leads, also where nothing is there yet.
  package var target: BytePath { Self.resolved(path) }

  private func failure(_ code: Int32) -> ExportError {
    .writing(path: path.displayString, code: code)
  }

  /// A new, empty file on the disk of `path` that has no name yet, so that nothing is left of it whatever ends the process;
  /// negative where the file system knows no such files.
  private static func openNameless(beside path: BytePath, mode: mode_t) -> Int32 {
    let temporaryFlag: Int32 = 0o20000000
    return folder(of: path).withCString { open($0, temporaryFlag | O_DIRECTORY | O_WRONLY | O_CLOEXEC, mode) }
  }

  /// Of a file; a name alone lies in the working directory.
  static func folder(of path: BytePath) -> BytePath {
    let hasFolder = path.bytes.contains(UInt8(ascii: "/"))
    if path.parent.bytes.isEmpty { return BytePath(hasFolder ? "/" : ".") }
    return path.parent
  }

  /// A name that no other file in the folder of `path` is likely to have.
  static func temporaryName(beside path: BytePath) -> BytePath {
    folder(of: path).appending(BytePath(".deadwax-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"))
  }

  /// A new, empty file in the folder of `path`; the descriptor is a negated error number where that failed.
  private static func createTemporary(beside path: BytePath, mode: mode_t) -> (BytePath, Int32) {
    for _ in 0..<100 {
      let temporary = temporaryName(beside: path)
      let descriptor = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
      if descriptor >= 0 { return (temporary, descriptor) }
      if errno != EEXIST { return (temporary, -errno) }
    }
    return (path, -EEXIST)
  }

  private static func resolved(_ path: BytePath, linkCount: Int = 0) -> BytePath {
    if let real = path.withCString({ realpath($0, nil) }) {
      defer { free(real) }
      return BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }
    guard linkCount < 40, let target = linkTarget(of: path) else { return path }
    return resolved(
      target.bytes.first == UInt8(ascii: "/") ? target : folder(of: path).appending(target), linkCount: linkCount + 1)
  }

  /// What a symbolic link says; nil where there is none.
  private static func linkTarget(of path: BytePath) -> BytePath? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = path.withCString { readlink($0, &bytes, bytes.count) }
    return count > 0 ? BytePath(bytes.prefix(count).map { UInt8(bitPattern: $0) }) : nil
  }
}
