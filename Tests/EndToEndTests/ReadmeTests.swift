import Foundation
import TestSupport
import Testing

/// The examples in the README do what it says, in the order in which a reader meets them.
struct ReadmeTests {
  /// The lines after `$ ` in blocks marked `console` that call the command.
  static func examples() throws -> [String] {
    let readme = try String(contentsOf: Corpora.projectRoot.appending(path: "README.md"), encoding: .utf8)
    var examples: [String] = []
    var isConsole = false
    for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isConsole = line == "```console" }
      if isConsole, line.hasPrefix("$ bin/deadwax ") { examples.append(String(line.dropFirst(2))) }
    }
    return examples
  }

  @Test func `there are examples`() throws {
    #expect(try Self.examples().count >= 10)
  }

  @Test(.timeLimit(.minutes(3))) func `every example runs`() async throws {
    let deadwax = try DeadwaxCommand()
    // The folder in which a reader stands: a clone that has been built.
    let bin = try deadwax.home.makeFolder("bin")
    try FileManager.default.createSymbolicLink(
      at: bin.appending(path: "deadwax"), withDestinationURL: DeadwaxCommand.executable)
    _ = try deadwax.home.makeFolder("fixtures")
    for folder in ["audio", "presets"] {
      try FileManager.default.copyItem(
        at: Corpora.fixtures.appending(path: folder), to: deadwax.home.appending("fixtures/\(folder)"))
    }
    for example in try Self.examples() {
      let outcome = try await deadwax.run(executable: URL(filePath: "/bin/bash"), ["-c", example])
      #expect(outcome.status == 0, "\(example): \(outcome)")
    }
  }
}
