internal import Base
internal import Glibc
internal import Logging
internal import Synchronization

/// Standard error: messages for people, never results.
enum StandardError {
  /// Whether the terminal shows a temporary line.
  private static let isLineShown = Mutex(false)
  private static let clearing = "\r\u{1B}[2K"

  /// Writes one line that begins with the command's name.
  static func line(_ text: String) {
    isLineShown.withLock { isShown in
      write((isShown ? clearing : "") + "deadwax: " + text + "\n")
      isShown = false
    }
  }

  /// Writes one line as it is, for programs.
  static func plainLine(_ text: String) {
    isLineShown.withLock { isShown in
      write((isShown ? clearing : "") + text + "\n")
      isShown = false
    }
  }

  /// Shows a temporary line, which the next line replaces.
  static func show(_ text: String) {
    isLineShown.withLock { isShown in
      write(clearing + text)
      isShown = true
    }
  }

  /// Removes the temporary line.
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

  /// Columns of the terminal of standard error, else 80.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Writes log events as one line to standard error: the file, the stage and the message.
struct StandardErrorLog: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let parts = [all["file"]?.description, all["stage"]?.description, event.message.description]
    StandardError.line(TerminalText.escaped(parts.compactMap { $0 }.joined(separator: ": ")))
  }
}
