internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct PresetRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a preset another name; its assignments stay.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  @Argument(help: "What it shall be called.")
  var newName: String

  func run() throws {
    let newName = try PresetName(newName)
    try library.writing { try $0.renamePreset(named: name, to: newName) }
  }
}
