internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

struct PresetExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write presets as files of other programs.",
    discussion: """
      What a format cannot say is named on standard error. Bands that it does not have, or more than it has, are \
      fitted to its own, and the largest error is said. Winamp's and Audacious's libraries take several presets.

      Formats, by --format or the ending of the file:
      \(PresetFormatName.list)

      Examples: deadwax preset export Warm -o Warm.eqf
                deadwax preset export Warm -o config.txt --format apo
                deadwax preset export Warm Clear -o winamp.q1
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: "The format, where the file's ending does not say it.")
  var format: String?

  @Option(help: ArgumentHelp("At most so many bands, where the format has more.", valueName: "count"))
  var bands: Int?

  @Flag(help: "Exit with status 3 when something could not be said.")
  var strict = false

  @Argument(help: ArgumentHelp("The presets.", valueName: "name"), completion: Completions.presets)
  var names: [String]

  func validate() throws {
    try ValidationError.require("bands", bands, in: 1...64)
    let format = try resolvedFormat()
    if bands != nil, !format.hasFreeBands {
      throw ValidationError("--bands: the bands of \(format.title) are always the same, or as many as the preset has")
    }
    guard names.count == 1 || format.isLibrary else {
      throw ValidationError("\(format.title) holds one preset, not \(names.count)")
    }
  }

  func run() throws {
    let format = try resolvedFormat()
    let presets = try library.reading { store in try names.map { try store.preset(named: $0).preset() } }
    let export = try PresetExport(presets, as: format, maximumBandCount: bands)
    if file == "-" {
      if StandardOutput.isTerminal, format == .winamp || format == .winampLibrary {
        throw ValidationError("\(format.title) is not for a terminal; name a file with -o")
      }
      try StandardOutput.write(bytes: export.bytes)
    } else {
      try OutputFile(BytePath(argument: file)).write(export.bytes, protecting: library.protectedFiles(for: file))
    }
    let subject =
      file == "-" ? presets.map(\.name.text).joined(separator: ", ") : BytePath(argument: file).displayString
    ExchangeReport.write(export.notes, about: subject, output: output)
    // Below that it is the last digit of what the format stores.
    if !output.quiet, export.deviation.maximum >= 0.005 {
      StandardError.line(TerminalText.escaped("\(subject): the curve is \(export.deviation)"))
    }
    if strict, !export.notes.isEmpty { throw ExitCode(CommandFailure.problemsUnderStrict) }
  }

  private func resolvedFormat() throws -> PresetFormat {
    if let format { return try PresetFormatName.format(format) }
    let name = file == "-" ? "" : BytePath(argument: file).lastComponent.displayString
    if let format = PresetFormat(fileName: name) { return format }
    let known = PresetFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--format is needed, because the file's ending does not say it: \(known)")
  }
}
