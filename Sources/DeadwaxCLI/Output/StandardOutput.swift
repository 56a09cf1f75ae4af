internal import Base
internal import Foundation
internal import Glibc
internal import Synchronization

/// Standard output: collects results, writes them in large pieces and reports failures.
enum StandardOutput {
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    /// Whether the reader closed the pipe, as `head` does.
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

  /// Writes what was collected.
  static func flush() throws(Failure) { try waiting.withLock { buffer throws(Failure) in try flush(&buffer) } }

  private static func flush(_ buffer: inout [UInt8]) throws(Failure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    do throws(SystemError) { try DescriptorBytes.write(buffer, to: STDOUT_FILENO) } catch {
      throw Failure(code: error.code)
    }
  }

  static let isTerminal = isatty(STDOUT_FILENO) == 1
}

/// The user's terminal.
enum Terminal {
  /// Columns of the terminal of standard output, else `COLUMNS`, else 80.
  static var width: Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    return columns.flatMap { (1...10_000).contains($0) ? $0 : nil } ?? 80
  }
}
