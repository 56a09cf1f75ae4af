internal import ArgumentParser

/// `deadwax help query`: not a command to run, but a page to read.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Explain queries: grammar, fields and examples.",
    usage: "deadwax help query",
    discussion: QueryHelp.full + QueryHelp.grammar + QueryHelp.fields + QueryHelp.examples)

  func run() throws { throw CleanExit.helpRequest(self) }
}
