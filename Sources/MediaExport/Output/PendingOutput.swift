internal import MediaModel

#if canImport(Glibc)
  internal import Glibc
#endif

/// An output file on its way: bytes are added, then ``commit()`` puts it in its place; without that nothing is left of it.
///
/// A device or a pipe is written to as it is, at once.
package final class PendingOutput {
  private static let bufferCapacity = 64 << 10

  private let asked: BytePath
  private let path: BytePath
  /// nil for a device or a pipe.
  private let temporary: BytePath?
  private var isInPlace = false
  private let mode: mode_t
  private var descriptor: Int32
  /// What comes in small pieces goes out in large ones.
  private var buffer: [UInt8] = []

  init(asked: BytePath, path: BytePath, temporary: BytePath?, mode: mode_t, descriptor: Int32) {
    self.asked = asked
    self.path = path
    self.temporary = temporary
    self.mode = mode
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
    if let temporary, !isInPlace { _ = FileIdentity.withCString(temporary, unlink) }
  }

  /// Whether the first bytes can be replaced later.
  package var isReplaceable: Bool { temporary != nil }

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
    if let temporary {
      // An existing file keeps its mode; a new one has what the umask left of 0666.
      if mode != 0o666, fchmod(descriptor, mode) != 0 { code = errno }
      if code == 0, fsync(descriptor) != 0 { code = errno }
      if Glibc.close(descriptor) != 0, code == 0 { code = errno }
      descriptor = -1
      if code == 0 {
        let isMoved = FileIdentity.withCString(temporary) { from in
          FileIdentity.withCString(path) { rename(from, $0) } == 0
        }
        if isMoved { isInPlace = true } else { code = errno }
      }
    } else {
      if Glibc.close(descriptor) != 0 { code = errno }
      descriptor = -1
    }
    try check(code)
  }

  private func check(_ code: Int32) throws(ExportError) {
    guard code != 0 else { return }
    throw .writing(path: TerminalText.escaped(asked.displayString), reason: String(cString: strerror(code)))
  }
}
