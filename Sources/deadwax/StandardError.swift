internal import Glibc
internal import Synchronization

/// Standard error: messages for people, never results.
enum StandardError {
  /// Whether a line of a terminal stands there that is not to stay.
  private static let isLineShown = Mutex(false)
  private static let clearing = "\r\u{1B}[2K"

  /// One line in the command's name.
  static func line(_ text: String) {
    isLineShown.withLock { isShown in
      write((isShown ? clearing : "") + "deadwax: " + text + "\n")
      isShown = false
    }
  }

  /// A line of a terminal that the next one replaces, whatever it says.
  static func show(_ text: String) {
    isLineShown.withLock { isShown in
      write(clearing + text)
      isShown = true
    }
  }

  /// Takes away what is shown.
  static func clear() {
    isLineShown.withLock { isShown in
      if isShown { write(clearing) }
      isShown = false
    }
  }

  private static func write(_ text: String) {
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
