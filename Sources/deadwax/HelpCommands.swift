internal import ArgumentParser
internal import Foundation

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Write the completion script of a shell: bash, zsh or fish.",
    discussion: """
      bash: deadwax completions bash > ~/.local/share/bash-completion/completions/deadwax
      zsh:  deadwax completions zsh > _deadwax (in a folder of $fpath)
      fish: deadwax completions fish > ~/.config/fish/completions/deadwax.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  func run() throws {
    guard let shell = CompletionShell(rawValue: shell.rawValue) else { return }
    try StandardOutput.write(Deadwax.completionScript(for: shell) + "\n")
  }
}

/// `deadwax help query`: a page of help; running it shows the same page.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Explain queries: grammar, fields and examples.",
    usage: "deadwax help query",
    discussion: QueryHelp.full + QueryHelp.grammar + QueryHelp.fields + QueryHelp.examples)

  func run() throws { throw CleanExit.helpRequest(self) }
}

/// Writes the manual page from the same texts as `--help`; `make man` calls it.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "manual", shouldDisplay: false)

  func run() throws {
    let help = try JSONDecoder().decode(CommandHelp.self, from: Data(Deadwax._dumpHelp().utf8))
    try StandardOutput.write(ManualPage(help.command).text)
  }
}
