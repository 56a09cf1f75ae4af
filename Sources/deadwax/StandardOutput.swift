internal import Glibc
internal import Synchronization

/// Standard output with its failures: results are collected and written in large pieces.
enum StandardOutput {
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    /// The other end of the pipe has seen enough, as `head` does.
    var isClosedByReader: Bool { code == EPIPE }
    var description: String { String(cString: strerror(code)) }
  }

  private static let waiting = Mutex<[UInt8]>([])
  private static let capacity = 64 << 10

  static func write(_ text: String) throws(Failure) { try write(bytes: text.utf8) }

  static func write(bytes: some Collection<UInt8>) throws(Failure) {
    try waiting.withLock { buffer throws(Failure) in
      buffer.append(contentsOf: bytes)
      if buffer.count >= capacity { try flush(&buffer) }
    }
  }

  static func line(_ text: String) throws(Failure) { try write(text + "\n") }

  /// Writes what is collected.
  static func flush() throws(Failure) { try waiting.withLock { buffer throws(Failure) in try flush(&buffer) } }

  private static func flush(_ buffer: inout [UInt8]) throws(Failure) {
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
