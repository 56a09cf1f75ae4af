internal import ArgumentParser
internal import MediaStore

struct PresetDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a preset.",
    discussion: "Exits with status 1 if it is assigned to anything and --force is not given.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Delete its assignments, too.")
  var force = false

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  func run() throws {
    try library.writing { try $0.deletePreset(named: name, evenIfAssigned: force) }
  }
}
