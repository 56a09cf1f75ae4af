internal import ArgumentParser
internal import MediaModel
internal import MediaStore
internal import UserData

/// `deadwax preset`: named equalizers and effects, and their assignments.
struct PresetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset",
    abstract: "Create equalizer and effect presets, and assign them to tracks, albums and artists.",
    discussion: """
      Presets are assigned to recordings, so an assignment survives when a file is moved, renamed, retagged or \
      missing for a while. The preset of a track takes precedence over that of its album, then its artist, then the \
      library; if any of these is switched off, the track is played without a preset. A preset assigned with --user \
      applies only to that person's players, and takes precedence over all others. `preset undo` reverts the latest \
      change. `preset orphans` lists recordings that no longer have a file.
      """,
    subcommands: [
      PresetListCommand.self, PresetShowCommand.self, PresetCreateCommand.self, PresetEditCommand.self,
      PresetRenameCommand.self, PresetCopyCommand.self, PresetDeleteCommand.self, PresetAssignCommand.self,
      PresetUnassignCommand.self, PresetOnCommand.self, PresetOffCommand.self, PresetOfCommand.self,
      PresetMatchCommand.self, PresetImportCommand.self, PresetExportCommand.self, PresetPlotCommand.self,
      PresetOrphansCommand.self, PresetReattachCommand.self, UndoCommand.self,
    ])
}

struct PresetRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a preset; its assignments are kept.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  @Argument(help: "The new name.")
  var newName: String

  func run() throws {
    let newName = try PresetName(newName)
    try library.writing { try $0.presets.rename(named: name, to: newName) }
  }
}

struct PresetCopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a preset, for example to edit a copy of a built-in one.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  @Argument(help: "The name of the copy.")
  var newName: String

  func run() throws {
    let newName = try PresetName(newName)
    try library.writing(.createIfMissing) { try $0.presets.copy(named: name, to: newName) }
  }
}

struct PresetDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a preset.",
    discussion: "Exits with status 1 if the preset is assigned, unless --force is given.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Also delete its assignments.")
  var force = false

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  func run() throws {
    try library.writing { try $0.presets.delete(named: name, evenIfAssigned: force) }
  }
}
