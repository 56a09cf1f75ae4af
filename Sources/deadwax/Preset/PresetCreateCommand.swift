internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct PresetCreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make a preset.",
    discussion: PresetChainOptions.help + """


      Examples: deadwax preset create Warm --graphic 3,2,1,0,0,0,-1,-1,0,1
                deadwax preset create Clear --band 'pk 220 -2.4' --gain auto
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var chain: PresetChainOptions

  @Flag(help: "Write the preset as a JSON document.")
  var json = false

  @Argument(help: "What it shall be called.")
  var name: String

  func run() throws {
    let name = try PresetName(name)
    // Before anything is opened, so that a mistake makes no library.
    if chain.for == nil { _ = try chain.chain(changing: .neutral, track: nil) }
    let preset = try library.writing(.createIfMissing) { store in
      let track = try HeadroomTrack(chain.for, in: store)
      let preset = Preset(name: name, chain: try chain.chain(changing: .neutral, track: track))
      try store.createPreset(preset)
      return preset
    }
    try PresetText.writeResult(preset, isJSON: json, isQuiet: output.quiet)
  }
}
