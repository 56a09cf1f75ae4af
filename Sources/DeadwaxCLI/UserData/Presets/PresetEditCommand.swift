internal import ArgumentParser
internal import MediaModel
internal import MediaStore
internal import UserData

struct PresetCreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a preset.",
    discussion: PresetChainOptions.help + """


      Examples: deadwax preset create Warm --graphic 3,2,1,0,0,0,-1,-1,0,1
                deadwax preset create Clear --band 'pk 220 -2.4' --gain auto
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var chain: PresetChainOptions

  @Flag(help: "Print the preset as a JSON document.")
  var json = false

  @Argument(help: "The name of the preset.")
  var name: String

  func run() throws {
    let name = try PresetName(name)
    // Checked before the library is opened, so that a mistake creates none.
    if chain.for == nil { _ = try chain.chain(changing: .neutral, track: nil) }
    let preset = try library.writing(.createIfMissing) { store in
      let track = try HeadroomTrack(chain.for, in: store)
      let preset = Preset(name: name, chain: try chain.chain(changing: .neutral, track: track))
      try store.presets.create(preset)
      return preset
    }
    try PresetText.writeResult(preset, isJSON: json, isQuiet: output.quiet)
  }
}

struct PresetEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a preset; settings that are not given stay unchanged.",
    discussion: PresetChainOptions.help + """


      --graphic and --band replace all bands; --add-band and --remove-band change some. --gain auto computes the \
      gain once: pass it again when you change bands.

      Examples: deadwax preset edit Warm --add-band 'ls 90 2' --gain auto
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var chain: PresetChainOptions

  @Option(
    parsing: .unconditionalSingleValue, help: ArgumentHelp("Add a band; may be repeated.", valueName: "band"))
  var addBand: [String] = []

  @Option(
    help: ArgumentHelp("Remove the band with this number, as `preset show` prints it; may be repeated.", valueName: "n")
  )
  var removeBand: [Int] = []

  @Flag(help: "Print the preset as a JSON document.")
  var json = false

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  func validate() throws {
    if chain.isEmpty, addBand.isEmpty, removeBand.isEmpty {
      throw ValidationError("name something to change, such as --gain")
    }
    if !removeBand.isEmpty, chain.graphic != nil || !chain.band.isEmpty {
      throw ValidationError("--remove-band cannot be used with --band or --graphic, which replace all bands")
    }
  }

  func run() throws {
    let added = try addBand.map { text throws(PresetError) in try EqualizerBand(text: text) }
    let preset = try library.writing { store in
      let track = try HeadroomTrack(chain.for, in: store)
      return try store.presets.edit(named: name) { old in
        try chain.chain(changing: old, track: track) { given, old in
          for number in removeBand where !(1...max(old.count, 1)).contains(number) || old.isEmpty {
            throw ValidationError("--remove-band \(number): there are \(old.count) bands")
          }
          let kept = old.indices.filter { !removeBand.contains($0 + 1) }.map { old[$0] }
          return (given ?? kept) + added
        }
      }
    }
    try PresetText.writeResult(preset, isJSON: json, isQuiet: output.quiet)
  }
}
