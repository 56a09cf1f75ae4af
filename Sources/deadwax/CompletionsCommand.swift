internal import ArgumentParser

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Write the completion script of a shell: bash, zsh or fish.",
    discussion: """
      bash: deadwax completions bash > ~/.local/share/bash-completion/completions/deadwax
      zsh:  deadwax completions zsh > a folder of $fpath, as _deadwax
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
