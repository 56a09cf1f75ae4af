internal import Glibc

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
