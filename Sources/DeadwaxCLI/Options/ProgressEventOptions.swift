internal import ArgumentParser
internal import Base

/// `--json-events`: progress for programs.
struct ProgressEventOptions: ParsableArguments {
  @Flag(help: "Write progress to standard error as lines of JSON, about once per second.")
  var jsonEvents = false

  /// - Parameter command: What the lines name.
  /// - Returns: nil without the option.
  func events(of command: String) -> ProgressEvents? { jsonEvents ? ProgressEvents(command: command) : nil }
}

/// Lines of progress, such as `{"event": "progress", "command": "scan", …}`; docs/scale.md has their keys.
struct ProgressEvents {
  private static let intervalInSeconds = 1.0
  private let command: String
  private var lastWritten = -Double.infinity

  init(command: String) { self.command = command }

  /// Writes a line, unless there was one within the last second.
  mutating func write(_ members: @autoclosure () -> [JSONValue.Member]) {
    let now = monotonicSeconds()
    guard now - lastWritten >= Self.intervalInSeconds else { return }
    lastWritten = now
    let head: [JSONValue.Member] = [.init("event", .string("progress")), .init("command", .string(command))]
    StandardError.plainLine(JSONValue.object(head + members()).text)
  }
}
