internal import Glibc
internal import MediaModel

/// An output file on its way: bytes are added, then ``commit()`` puts it in its place; without that nothing is left of it.
///
/// A device or a pipe is written to as it is, at once.
package final class PendingOutput {
  private static let bufferCapacity = 64 << 10

  /// Where the bytes are until they are all there.
  enum Temporary {
    /// A device or a pipe takes them at once.
    case none
    /// On the disk, in no folder.
    case nameless
    case named(BytePath)
  }

  private let asked: BytePath
  private let path: BytePath
  private var temporary: Temporary
  /// Of the file whose place it takes; nil where nothing is there.
  private let formerMode: mode_t?
  private var descriptor: Int32
  /// What comes in small pieces goes out in large ones.
  private var buffer: [UInt8] = []

  init(asked: BytePath, path: BytePath, temporary: Temporary, formerMode: mode_t?, descriptor: Int32) {
    self.asked = asked
    self.path = path
    self.temporary = temporary
    self.formerMode = formerMode
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    if case .named(let name) = temporary { _ = name.withCString(unlink) }
  }

  /// Whether the first bytes can be replaced later.
  package var isReplaceable: Bool { if case .none = temporary { false } else { true } }

  /// Adds bytes behind all others.
  package func append(_ bytes: some Sequence<UInt8>) throws(ExportError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferCapacity { try flush() }
  }

  /// Replaces the first bytes; only where ``isReplaceable``.
  package func replaceStart(with bytes: [UInt8]) throws(ExportError) {
    try flush()
    try check(DescriptorWriting.write(bytes, to: descriptor, at: 0))
  }

  private func flush() throws(ExportError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try check(DescriptorWriting.write(buffer, to: descriptor))
  }

  /// Puts the file in its place; called once, last.
  package func commit() throws(ExportError) {
    try flush()
    var code: Int32 = 0
    if isReplaceable {
      // An existing file keeps its mode; a new one has what the umask left of 0666.
      if let formerMode, fchmod(descriptor, formerMode) != 0 { code = errno }
      if code == 0, fsync(descriptor) != 0 { code = errno }
      if code == 0 { code = giveName() }
    }
    if Glibc.close(descriptor) != 0, code == 0 { code = errno }
    descriptor = -1
    if code == 0 { code = rename() }
    try check(code)
  }

  /// A file without a name gets one, beside its place: there it may replace what is there only by another step.
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
      if errno != EEXIST { return errno }
    }
    return EEXIST
  }

  private func rename() -> Int32 {
    guard case .named(let name) = temporary else { return 0 }
    let isMoved = name.withCString { from in
      path.withCString { Glibc.rename(from, $0) } == 0
    }
    guard isMoved else { return errno }
    temporary = .none
    return 0
  }

  private func check(_ code: Int32) throws(ExportError) {
    guard code != 0 else { return }
    throw .writing(path: asked.displayString, code: code)
  }
}
