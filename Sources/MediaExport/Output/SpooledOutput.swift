internal import Glibc

/// Bytes on disk without a name, for what must be finished before it can go into a pipe.
package final class SpooledOutput {
  private let descriptor: Int32

  /// In `$TMPDIR`, else in `/tmp`.
  package init() throws(ExportError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(folder.isEmpty ? "/tmp" : folder)/deadwax-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Self.failure(errno) }
    unlink(template)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func append(_ bytes: [UInt8]) throws(ExportError) {
    try check(DescriptorWriting.write(bytes, to: descriptor))
  }

  package func replaceStart(with bytes: [UInt8]) throws(ExportError) {
    try check(DescriptorWriting.write(bytes, to: descriptor, at: 0))
  }

  /// Hands all bytes on, from the first to the last.
  package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    var offset: off_t = 0
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(descriptor, &piece, piece.count, offset)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(errno) }
      guard count > 0 else { return }
      try body(Array(piece.prefix(count)))
      offset += off_t(count)
    }
  }

  private func check(_ code: Int32) throws(ExportError) {
    if code != 0 { throw Self.failure(code) }
  }

  private static func failure(_ code: Int32) -> ExportError {
    .writing(path: "a temporary file", code: code)
  }
}
