internal import Glibc

/// Standard output with its failures: results are collected and written in large pieces.
///
/// Used from the main thread only.
enum StandardOutput {
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    /// The other end of the pipe has seen enough, as `head` does.
    var isClosedByReader: Bool { code == EPIPE }
    var description: String { String(cString: strerror(code)) }
  }

  nonisolated(unsafe) private static var buffer: [UInt8] = []
  private static let capacity = 64 << 10

  static func write(_ text: String) throws(Failure) { try write(bytes: text.utf8) }

  static func write(bytes: some Collection<UInt8>) throws(Failure) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= capacity { try flush() }
  }

  static func line(_ text: String) throws(Failure) { try write(text + "\n") }

  /// Writes what is collected.
  static func flush() throws(Failure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(code: errno)
      }
      rest = rest.dropFirst(count)
    }
  }

  static let isTerminal = isatty(STDOUT_FILENO) == 1
}

/// Standard error: messages for people, never results.
enum StandardError {
  /// One line in the command's name.
  static func line(_ text: String) { write("deadwax: " + text + "\n") }

  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal, else 80.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
