internal import ArgumentParser
internal import Base

/// Turns errors into one line on standard error and an exit status.
enum CommandFailure {
  /// Reports an error and returns the exit status; help and version are not failures and go to standard output.
  static func report(_ error: any Error) -> Int32 {
    if let error = error as? StandardOutput.Failure {
      if error.isClosedByReader { return 0 }
      StandardError.line("write error: \(error)")
      return 1
    }
    // Results that were collected before the error are still written.
    var unwritten: Int32 = 0
    do { try StandardOutput.flush() } catch { unwritten = report(error) }
    let status = write(error)
    return status == 0 ? unwritten : status
  }

  /// Writes the message of an error and returns its status.
  private static func write(_ error: any Error) -> Int32 {
    if let status = ExitStatus.of(error) {
      StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: error)))
      return status
    }
    // The rest comes from the parser: wrong usage, help, version, exit codes.
    let code = Deadwax.exitCode(for: error)
    // It may repeat what the user typed.
    let text = UsageText.wrapped(Deadwax.fullMessage(for: error), toWidth: min(Terminal.width, 100))
    let message = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
    guard !message.isEmpty else { return code.rawValue }
    if code == .success {
      do {
        try StandardOutput.write(message + "\n")
        try StandardOutput.flush()
      } catch { return report(error) }
    } else {
      StandardError.line(String(message.trimmingPrefix("Error: ")))
    }
    return code.rawValue
  }
}
