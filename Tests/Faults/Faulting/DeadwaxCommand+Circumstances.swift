internal import Foundation
internal import TestSupport

extension DeadwaxCommand {
  /// Runs the command from a shell that did something to itself first, such as `ulimit -n 32`.
  func run(
    after preparation: String, _ arguments: [String], environment: [String: String] = [:], standardOutput: URL? = nil
  ) async throws -> CommandOutcome {
    try await run(
      executable: URL(filePath: "/bin/sh"),
      ["-c", "\(preparation); exec \"$0\" \"$@\"", Self.executable.path] + arguments,
      environment: environment, standardOutput: standardOutput)
  }

  /// Runs the command through another one, such as `faketime -f -1y`.
  func run(through program: [String], _ arguments: [String]) async throws -> CommandOutcome {
    try await run(executable: URL(filePath: "/usr/bin/env"), program + [Self.executable.path] + arguments)
  }
}
