package import MediaModel

#if canImport(Glibc)
  internal import Glibc
#endif

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
    do {
      try write(protecting: inputs) { try $0.write(bytes) }
    } catch let error as ExportError {
      throw error
    } catch {
      throw .writing(path: TerminalText.escaped(path.displayString), reason: "\(error)")
    }
  }

  /// Writes what `body` does, piece by piece; where it throws, a regular file stays as it was.
  ///
  /// - Throws: ``ExportError``, and what `body` throws.
  package func write(protecting inputs: [BytePath] = [], _ body: (inout OutputWriter) throws -> Void) throws {
    try write(protecting: InputFiles(inputs), body)
  }

  private func write(protecting inputs: InputFiles, _ body: (inout OutputWriter) throws -> Void) throws {
    try Self.replace(path, protecting: inputs, body)
  }

  private static func replace(
    _ asked: BytePath, protecting inputs: InputFiles, _ body: (inout OutputWriter) throws -> Void
  ) throws {
    let path = resolved(asked)
    func failure(_ code: Int32) -> ExportError {
      .writing(path: TerminalText.escaped(asked.displayString), reason: message(code))
    }
    var mode = mode_t(0o666)
    if let present = FileIdentity(path) {
      guard !inputs.contains(present) else {
        throw ExportError.wouldReplaceInput(path: TerminalText.escaped(asked.displayString))
      }
      guard present.isRegularFile else {
        return try writeInPlace(path, asked, body)
      }
      mode = present.permissions
    }
    let (temporary, descriptor) = createTemporary(beside: path, mode: mode)
    guard descriptor >= 0 else { throw failure(-descriptor) }
    do {
      try OutputWriter.write(to: descriptor, path: asked, body)
    } catch {
      Glibc.close(descriptor)
      _ = withCString(temporary, unlink)
      throw error
    }
    var code: Int32 = 0
    // An existing file keeps its mode; a new one has what the umask left of 0666.
    if mode != 0o666, fchmod(descriptor, mode) != 0 { code = errno }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if Glibc.close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, withCString(temporary, { from in withCString(path) { rename(from, $0) } }) != 0 { code = errno }
    guard code == 0 else {
      _ = withCString(temporary, unlink)
      throw failure(code)
    }
  }

  /// A new, empty file in the folder of `path`; the descriptor is a negated error number where that failed.
  private static func createTemporary(beside path: BytePath, mode: mode_t) -> (BytePath, Int32) {
    for _ in 0..<100 {
      let name = ".deadwax-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
      let hasFolder = path.bytes.contains(UInt8(ascii: "/"))
      let folder = path.parent.bytes.isEmpty && hasFolder ? BytePath("/") : path.parent
      let temporary = folder.appending(BytePath(name))
      let descriptor = withCString(temporary) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
      if descriptor >= 0 { return (temporary, descriptor) }
      if errno != EEXIST { return (temporary, -errno) }
    }
    return (path, -EEXIST)
  }

  private static func writeInPlace(
    _ path: BytePath, _ asked: BytePath, _ body: (inout OutputWriter) throws -> Void
  ) throws {
    func failure(_ code: Int32) -> ExportError {
      .writing(path: TerminalText.escaped(asked.displayString), reason: message(code))
    }
    let descriptor = withCString(path) { open($0, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure(errno) }
    do {
      try OutputWriter.write(to: descriptor, path: asked, body)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    if Glibc.close(descriptor) != 0 { throw failure(errno) }
  }

  /// Where a symbolic link leads; the path itself where nothing is there yet.
  private static func resolved(_ path: BytePath) -> BytePath {
    guard let real = withCString(path, { realpath($0, nil) }) else { return path }
    defer { free(real) }
    return BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }

  static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  private static func withCString<Result>(_ path: BytePath, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    FileIdentity.withCString(path, body)
  }
}
