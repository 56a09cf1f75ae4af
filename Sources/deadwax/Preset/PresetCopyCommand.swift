internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct PresetCopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Make a preset of your own of another, such as one that comes with the program.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  @Argument(help: "What the copy shall be called.")
  var newName: String

  func run() throws {
    let newName = try PresetName(newName)
    try library.writing(.createIfMissing) { try $0.copyPreset(named: name, to: newName) }
  }
}
