internal import Base
internal import MediaImport

/// The progress line of a command on a terminal; a scan shows files, speed, time left and the current file.
///
/// It is written to standard error a few times a second, and leaves nothing behind when it is cleared.
struct ProgressLine: Sendable {
  private static let intervalInSeconds = 0.1
  private var lastShown = 0.0

  /// Shows the progress of a scan, unless it was shown less than 0.1 s ago.
  ///
  /// - Parameter noun: what is counted, in the plural.
  mutating func show(_ progress: ScanProgress, noun: String = "files") {
    show { Self.text(progress, noun: noun, width: $0) }
  }

  /// Shows any text; `text` gets the number of columns and returns no control characters.
  mutating func show(_ text: (_ width: Int) -> String) {
    let now = monotonicSeconds()
    guard now - lastShown >= Self.intervalInSeconds else { return }
    lastShown = now
    StandardError.show(text(StandardError.width - 1))
  }

  /// Removes the line, so that results can be printed.
  func clear() { StandardError.clear() }

  /// One line of at most `width` columns, without control characters.
  static func text(_ progress: ScanProgress, noun: String, width: Int) -> String {
    guard progress.phase == .reading else {
      return String("Looking for files … \(progress.foundCount)".prefix(max(width, 0)))
    }
    var parts = ["\(progress.doneCount)/\(progress.totalCount) \(noun)"]
    if progress.elapsedInSeconds > 0.5 {
      // Hours of audio decoded in each second.
      let hours = progress.decodedSeconds / 3600 / progress.elapsedInSeconds
      parts.append("\(NumberText.decimal(hours, 2)) h of audio/s")
    }
    if let remaining = progress.remainingSeconds { parts.append("\(DurationText.clock(remaining)) left") }
    if progress.problemCount > 0 { parts.append("\(progress.problemCount) with problems") }
    let text = parts.joined(separator: " · ")
    guard let path = progress.currentPath else { return String(text.prefix(max(width, 0))) }
    let name = TerminalText.escaped(path.lastComponent.displayString)
    return DisplayWidth.truncated(text + " · " + name, toWidth: max(width, 0))
  }
}
