internal import ArgumentParser

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Write the completion script for a shell: bash, zsh or fish.",
    discussion: """
      In bash: cd ~/.local/share/bash-completion/completions
               deadwax completions bash > deadwax
      In zsh:  deadwax completions zsh > _deadwax     (in a folder of $fpath)
      In fish: deadwax completions fish > ~/.config/fish/completions/deadwax.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  func run() throws {
    guard let shell = CompletionShell(rawValue: shell.rawValue) else { return }
    let script = Deadwax.completionScript(for: shell)
    try StandardOutput.write(Self.withHelpTopics(script, for: shell) + "\n")
  }

  /// Lets `help` complete the names of commands: the parser adds that command by itself, without completions for its words.
  private static func withHelpTopics(_ script: String, for shell: CompletionShell) -> String {
    let names = Deadwax.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
      .compactMap(\.commandName).joined(separator: " ")
    switch shell {
    case .zsh: return script.replacing("'*:subcommands:'", with: "'*:subcommands:(\(names))'")
    case .fish:
      return script + "\ncomplete -c deadwax -n '__fish_seen_subcommand_from help' -fa '\(names)'"
    default:
      let start = "_deadwax_help() {\n"
      return script.replacing(
        start, with: start + "    COMPREPLY+=($(compgen -W '\(names)' -- \"${COMP_WORDS[COMP_CWORD]}\"))\n")
    }
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
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Write the manual page.", discussion: "Example: deadwax manual | man -l -")

  func run() throws {
    try StandardOutput.write(ManualPage(.root()).text)
  }
}
