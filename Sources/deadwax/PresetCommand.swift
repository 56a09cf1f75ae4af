internal import ArgumentParser

/// `deadwax preset`: equalizers and effects with names, and what they are assigned to.
struct PresetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset",
    abstract: "Make presets of equalizer and effects, and assign them to tracks, albums, artists.",
    discussion: """
      A preset belongs to the recording: it is found after its file was moved, renamed or retagged, and after it was gone \
      for a while. That of a track goes before that of its album, its artist and the library; what is switched off \
      silences everything below it. Each change is in a journal that `preset undo` walks back.
      """,
    subcommands: [
      PresetListCommand.self, PresetShowCommand.self, PresetCreateCommand.self, PresetEditCommand.self,
      PresetRenameCommand.self, PresetCopyCommand.self, PresetDeleteCommand.self, PresetAssignCommand.self,
      PresetUnassignCommand.self, PresetOnCommand.self, PresetOffCommand.self, PresetOfCommand.self,
      PresetImportCommand.self, PresetExportCommand.self, PresetPlotCommand.self, PresetUndoCommand.self,
    ])
}
