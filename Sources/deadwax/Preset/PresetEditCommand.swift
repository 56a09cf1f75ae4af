internal import ArgumentParser
internal import MediaModel
internal import MediaStore

struct PresetEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a preset; what is not mentioned stays.",
    discussion: PresetChainOptions.help + """


      --graphic and --band replace all bands, --add-band and --remove-band some. A gain that was found by --gain auto is a \
      number like any other: ask for it again when bands change.

      Examples: deadwax preset edit Warm --add-band 'ls 90 2' --gain auto
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var chain: PresetChainOptions

  @Option(
    parsing: .unconditionalSingleValue, help: ArgumentHelp("One more band; may be repeated.", valueName: "band"))
  var addBand: [String] = []

  @Option(help: ArgumentHelp("The number of a band, as `preset show` has it; may be repeated.", valueName: "n"))
  var removeBand: [Int] = []

  @Flag(help: "Write the preset as a JSON document.")
  var json = false

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  func validate() throws {
    if chain.isEmpty, addBand.isEmpty, removeBand.isEmpty { throw ValidationError("What shall be changed?") }
    if !removeBand.isEmpty, chain.graphic != nil || !chain.band.isEmpty {
      throw ValidationError("--remove-band and --band exclude each other: --band replaces all bands")
    }
  }

  func run() throws {
    let added = try addBand.map { text throws(PresetError) in try EqualizerBand(text: text) }
    let preset = try library.writing { store in
      let track = try HeadroomTrack(chain.for, in: store)
      return try store.editPreset(named: name) { old in
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
