import Foundation
import Testing
import TestSupport

/// The examples in the README do what it says, in the order in which a reader meets them.
struct ReadmeTests {
  private static func lines() throws -> [Substring] {
    try String(contentsOf: Corpora.projectRoot.appending(path: "README.md"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The first column of the table of exit statuses.
  static func exitStatuses() throws -> [String] {
    let rows = try lines().drop { $0 != "## Exit status" }.prefix { !$0.hasPrefix("## What") }
      .filter { $0.hasPrefix("| ") }
    return rows.flatMap { $0.split(separator: "|")[0].split { !$0.isNumber } }.map(String.init)
  }

  /// What the README shows after a command, without the lines that it shortens.
  private static func shownOutput(of command: String) throws -> [String] {
    let block = try lines().drop { $0 != "$ " + command }.drop { $0 != "```text" }.dropFirst().prefix { $0 != "```" }
    return block.filter { !$0.contains("…") }.map(String.init)
  }

  /// The lines after `$ ` in blocks marked `console` that call the command.
  static func examples() throws -> [String] {
    var examples: [String] = []
    var isConsole = false
    for line in try lines() {
      if line.hasPrefix("```") { isConsole = line == "```console" }
      if isConsole, line.hasPrefix("$ bin/deadwax ") { examples.append(String(line.dropFirst(2))) }
    }
    return examples
  }

  @Test func `there are examples`() throws {
    #expect(try Self.examples().count >= 10)
    #expect(try Self.exitStatuses().contains("75"))
  }

  @Test(.timeLimit(.minutes(3))) func `every example runs`() async throws {
    let deadwax = try DeadwaxCommand()
    // The reader's current folder: a clone that has been built.
    let bin = try deadwax.home.makeFolder("bin")
    try FileManager.default.createSymbolicLink(
      at: bin.appending(path: "deadwax"), withDestinationURL: DeadwaxCommand.executable)
    _ = try deadwax.home.makeFolder("fixtures")
    for folder in ["audio", "damaged", "presets"] {
      try FileManager.default.copyItem(
        at: Corpora.fixtures.appending(path: folder), to: deadwax.home.appending("fixtures/\(folder)"))
    }
    for example in try Self.examples() {
      let outcome = try await deadwax.run(executable: URL(filePath: "/bin/bash"), ["-c", example])
      #expect(outcome.status == 0, "\(example): \(outcome)")
      // The number of a track depends on which worker was faster.
      if example == "bin/deadwax show 'title:Lacquer'" {
        let shown = try Self.shownOutput(of: example).filter { !$0.hasPrefix("Track ") }
        let lines = Set(outcome.text.split(separator: "\n").map(String.init))
        #expect(shown.count > 10 && lines.isSuperset(of: shown), "\(shown.filter { !lines.contains($0) })")
      }
    }
  }
}
