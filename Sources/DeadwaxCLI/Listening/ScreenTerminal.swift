internal import Base
internal import CPosix
internal import Glibc

/// The user's terminal while a program draws on all of it. It is given back by ``leave()``, and by whatever ends the
/// process.
final class ScreenTerminal {
  /// What woke ``wait(for:upToSeconds:)``.
  struct Events {
    var input: [UInt8] = []
    /// The size may have changed, or something else may have been drawn.
    var needsRedraw = false
    /// Ctrl-Z, by key or signal.
    var wasAskedToStop = false
    /// Nobody is there any more.
    var isGone = false
  }

  private let signals: Int32
  /// Whether both sides are a terminal that can be drawn on.
  static var isThere: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
  }

  init() throws(SystemError) {
    signals = dw_catch_terminal_signals()
    guard signals >= 0 else { throw SystemError(call: "sigaction") }
    try enter()
  }

  private func enter() throws(SystemError) {
    guard dw_enter_terminal(STDOUT_FILENO) == 0 else { throw SystemError(call: "tcsetattr") }
  }

  func leave() { dw_leave_terminal() }

  /// Gives the terminal to the shell, stops until the shell lets the process continue, and takes the terminal again.
  func stop() throws(SystemError) {
    leave()
    raise(SIGSTOP)
    try enter()
  }

  /// Columns and rows.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (min(Int(size.ws_col), 1000), min(Int(size.ws_row), 500))
  }

  /// Shows all of a change at once, or what the terminal has taken of it when a stop signal comes: one that nobody reads takes
  /// nothing.
  func write(_ text: String, until stop: StopSignal) throws(SystemError) {
    guard !text.isEmpty else { return }
    var rest = Array("\u{1B}[?2026h\(text)\u{1B}[?2026l".utf8)[...]
    let output = dw_terminal_output()
    guard output >= 0 else { return try DescriptorBytes.write(Array(rest), to: STDOUT_FILENO) }
    while !rest.isEmpty, stop.number == nil {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waited = [
          pollfd(fd: output, events: Int16(POLLOUT), revents: 0),
          pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waited, nfds_t(waited.count), -1)
      } else if errno != EINTR {
        throw SystemError(call: "write")
      }
    }
  }

  /// Waits for keys, signals of the terminal or a stop signal.
  func wait(for stop: StopSignal, upToSeconds seconds: Double) throws(SystemError) -> Events {
    var waited = [STDIN_FILENO, signals, stop.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&waited, nfds_t(waited.count), Int32(max(0, seconds * 1000)))
    var events = Events()
    var bytes = [UInt8](repeating: 0, count: 1024)
    if waited[0].revents & Int16(POLLIN) != 0 {
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 { events.input = Array(bytes[..<count]) }
    }
    events.isGone = waited[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    if waited[1].revents & Int16(POLLIN) != 0 {
      let count = read(signals, &bytes, bytes.count)
      for number in bytes.prefix(max(0, count)) {
        events.needsRedraw = true
        if Int32(number) == SIGTSTP { events.wasAskedToStop = true }
        if Int32(number) == SIGCONT { try enter() }
      }
    }
    return events
  }
}
