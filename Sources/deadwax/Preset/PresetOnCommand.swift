internal import ArgumentParser

struct PresetOnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on", abstract: "Switch presets on again.", discussion: QueryHelp.short)

  @OptionGroup var options: PresetSwitchOptions

  func run() throws { try options.run(on: true) }
}
