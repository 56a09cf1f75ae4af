internal import ArgumentParser

struct PresetOffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Hear tracks, albums, artists or the library without presets, and keep what is assigned.",
    discussion: "`preset off --default` switches all presets of the library off. \(QueryHelp.short)")

  @OptionGroup var options: PresetSwitchOptions

  func run() throws { try options.run(on: false) }
}
