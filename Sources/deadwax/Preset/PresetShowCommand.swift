internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

struct PresetShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a preset, its bands and its curve.",
    discussion: "With --json the document that `preset import` reads.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "The preset as a JSON document.")
  var json = false

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  func run() throws {
    try library.reading { store in
      let stored = try store.preset(named: name)
      // What a newer version wrote goes out as it came.
      if json { return try StandardOutput.line((try? stored.preset())?.document.prettyText ?? stored.document) }
      let preset = try stored.preset()
      let assignments = try store.presetAssignmentsBesidesTracks(of: stored)
      let lines = PresetText.lines(
        preset, isBuiltIn: stored.isBuiltIn, trackCount: try store.assignedTrackCount(of: stored),
        assignments: assignments)
      for line in lines {
        try StandardOutput.line(TerminalText.escaped(line))
      }
      guard !preset.chain.equalizer.bands.isEmpty else { return }
      let chart = EqualizerChart(equalizer: preset.chain.equalizer)
      try StandardOutput.write(
        "\n" + TerminalPictures.equalizer(chart, width: Terminal.width, capabilities: output.capabilities))
    }
  }
}
