import Foundation
import Testing
import TestSupport

/// Help, the manual page and their examples.
struct HelpTests {
  private let deadwax: DeadwaxCommand

  init() throws { deadwax = try DeadwaxCommand.called() }

  @Test func `the manual page has every command and every status`() async throws {
    let page = try await deadwax.run(["manual"]).text
    let commands = try await commands(of: [])
    #expect(commands.count > 40)
    for command in commands {
      #expect(page.contains(".SS \"deadwax \(command.joined(separator: " "))\""), "\(command)")
    }
    let statuses = page.components(separatedBy: ".SH EXIT STATUS")[1].split { !$0.isNumber }.map(String.init)
    #expect(try ManualPage.exitStatuses().allSatisfy(statuses.contains), "\(statuses)")
  }

  @Test func `the manual page describes the common options once`() async throws {
    let page = try await deadwax.run(["manual"]).text
    for option in ["library", "quiet", "verbose", "color"] {
      #expect(page.components(separatedBy: "\\-\\-\(option)\\fR").count <= 4, "\(option)")
      #expect(page.components(separatedBy: ".SH COMMON OPTIONS").last?.contains("\\-\\-\(option)") == true)
    }
  }

  @Test func `the list of commands has the manual page`() async throws {
    let listed = try await commands(of: []).map { $0.joined(separator: " ") }
    #expect(listed.contains("manual") && !listed.contains("worker"))
  }

  @Test func `the help has the commands in sections`() async throws {
    let help = try await deadwax.run(["help"]).text
    let headings = help.split(separator: "\n").filter { $0.hasSuffix("SUBCOMMANDS:") }.map {
      $0.split(separator: " ")[0]
    }
    #expect(headings == ["INDEX", "FIND", "DRAW", "LISTEN", "EXPORT", "USER", "MAINTAIN", "HELP"])
  }

  @Test(.enabled(if: Tool.exist("man"), "man is not installed"))
  func `the manual page renders without a warning`() async throws {
    let page = try await deadwax.must(["manual"])
    try page.standardOutput.write(to: deadwax.home.appending("d.1"))
    let outcome = try await deadwax.shell("MANWIDTH=80 man -l --warnings d.1")
    #expect(outcome.text.contains("--format-string template") && outcome.errorText.isEmpty, "\(outcome.errorText)")
  }

  /// What help texts list as commands, those below them included.
  private func commands(of command: [String]) async throws -> [[String]] {
    let lines = try await deadwax.run(["help"] + command).text.split(separator: "\n", omittingEmptySubsequences: false)
    // Those of the root have a list for each section.
    let listed = lines.split(separator: "").filter { $0.first?.hasSuffix("SUBCOMMANDS:") == true }.flatMap { $0 }
    // A name stands two columns in, what it does further right.
    let names = listed.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
      // Behind a comma stand other names of the same command.
      $0.split(separator: " ").first.map { String($0.prefix { $0 != "," }) }
    }
    var found: [[String]] = []
    for name in names {
      found.append(command + [name])
      found += try await commands(of: command + [name])
    }
    return found
  }

  /// Calls the command with the words of an example; one with pipes or redirections is a script with the built command.
  private func run(_ example: String, _ deadwax: DeadwaxCommand) async throws -> CommandOutcome {
    if example.contains(/[|>&;]/) { return try await deadwax.shell(example) }
    let words = try await deadwax.run(
      executable: URL(filePath: "/bin/bash"), ["-c", #"deadwax() { printf '%s\0' "$@"; }; "# + example])
    return try await deadwax.run(
      words.standardOutput.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) })
  }

  @Test func `every example of a help text is understood`() async throws {
    let manual = try await deadwax.run(["manual"]).text
    let commands = manual.split(separator: "\n").filter { $0.hasPrefix(".SS \"deadwax ") }.map {
      $0.dropFirst(".SS \"deadwax ".count).dropLast().split(separator: " ").map(String.init)
    }
    var examples: [String] = []
    for command in commands {
      let lines = try await deadwax.run(command + ["--help"]).text.split(separator: "\n")
      examples += lines.compactMap { line in
        let words = line.trimmingPrefix("Examples:").trimmingPrefix { $0 == " " }
        return words.hasPrefix("deadwax ") && (line.hasPrefix("Examples:") || line.hasPrefix("   "))
          ? String(words) : nil
      }
    }
    #expect(examples.count > 30)
    // What they name does not exist, but every command and option must be known.
    let absences = ["ana has no password", "No such file or directory", "AcoustID needs a key"]
    for example in examples {
      let empty = try DeadwaxCommand.called()
      let outcome = try await run(example, empty)
      let isUnderstood =
        ![2, 64, 127].contains(outcome.status) || absences.contains { outcome.errorText.contains($0) }
      #expect(isUnderstood, "\(example): \(outcome)")
    }
  }

  @Test func `lines that are printed as they stand fit into a terminal, and defaults are told once`() async throws {
    let manual = try await deadwax.run(["manual"]).text
    let commands = manual.split(separator: "\n").filter { $0.hasPrefix(".SS \"deadwax ") }.map {
      $0.dropFirst(".SS \"deadwax ".count).dropLast().split(separator: " ").map(String.init)
    }
    #expect(commands.count > 40)
    for command in commands {
      let help = try await deadwax.run(command + ["--help"], environment: ["COLUMNS": "1000"]).text
      let text = help.prefix(upTo: help.range(of: "USAGE: ")?.lowerBound ?? help.endIndex).split(separator: "\n")
      let long = text.filter { ($0.hasPrefix(" ") || $0.hasPrefix("Examples: ")) && $0.count > 80 }
      #expect(long.isEmpty, "\(command): \(long)")
      let twice = help.split(separator: "\n").filter { $0.contains(/\(default: ([^)]*)\).*default: \1\)/) }
      #expect(twice.isEmpty && !help.contains("(the default)"), "\(command): \(twice)")
    }
    let query = try await deadwax.run(["help", "query"]).text
    #expect(!query.contains("`deadwax help query`"))
  }

  @Test func `help about queries has the grammar and examples`() async throws {
    let text = try await deadwax.run(["help", "query"]).text
    #expect(text.contains("Grammar:") && text.contains("band(1000)>-30") && text.contains("silence_end"))
  }
}
