import Foundation

/// What README.md says.
package enum Readme {
  private static func lines() throws -> [Substring] {
    try String(contentsOf: Corpora.projectRoot.appending(path: "README.md"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The first column of the table of exit statuses.
  package static func exitStatuses() throws -> [String] {
    let rows = try lines().drop { $0 != "## Exit status" }.prefix { !$0.hasPrefix("## What") }
      .filter { $0.hasPrefix("| ") }
    return rows.flatMap { $0.split(separator: "|")[0].split { !$0.isNumber } }.map(String.init)
  }

  /// What it shows after a command, without the lines that it shortens.
  package static func shownOutput(of command: String) throws -> [String] {
    let block = try lines().drop { $0 != "$ " + command }.drop { $0 != "```text" }.dropFirst().prefix { $0 != "```" }
    return block.filter { !$0.contains("…") }.map(String.init)
  }

  /// The lines after `$ ` in blocks marked `console` that call the command.
  package static func examples() throws -> [String] {
    var examples: [String] = []
    var isConsole = false
    for line in try lines() {
      if line.hasPrefix("```") { isConsole = line == "```console" }
      if isConsole, line.hasPrefix("$ bin/deadwax ") { examples.append(String(line.dropFirst(2))) }
    }
    return examples
  }
}
