internal import ArgumentParser
internal import Foundation

/// Writes the manual page from what `--help` knows; `make man` calls it.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "manual", shouldDisplay: false)

  func run() throws {
    let help = try JSONDecoder().decode(CommandHelp.self, from: Data(Deadwax._dumpHelp().utf8))
    try StandardOutput.write(ManualPage(help.command).text)
  }
}
