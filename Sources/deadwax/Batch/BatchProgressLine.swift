internal import Glibc
internal import MediaModel

/// The line that a batch keeps rewriting on a terminal: files done, the one in work.
struct BatchProgressLine: Sendable {
  private static let intervalInSeconds = 0.1
  private var lastShown = 0.0
  private var isShown = false

  /// Shows where the batch stands, unless the last time was a moment ago.
  mutating func show(doneCount: Int, totalCount: Int, path: BytePath) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    guard now - lastShown >= Self.intervalInSeconds else { return }
    lastShown = now
    isShown = true
    let text = "\(doneCount)/\(totalCount) files · " + TerminalText.escaped(path.lastComponent.displayString)
    StandardError.write("\r\u{1B}[2K" + DisplayWidth.truncated(text, toWidth: max(StandardError.width - 1, 0)))
  }

  /// Takes the line away.
  mutating func clear() {
    guard isShown else { return }
    isShown = false
    StandardError.write("\r\u{1B}[2K")
  }
}
