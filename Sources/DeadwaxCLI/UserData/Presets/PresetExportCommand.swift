internal import ArgumentParser
internal import Base
internal import MediaExchange
internal import MediaModel
internal import UserData

struct PresetExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write presets as files of other programs.",
    discussion: """
      Settings that a format cannot represent are reported on standard error. Band types and counts that it does not \
      support are approximated, and the largest error is reported. Winamp and Audacious libraries hold several \
      presets.

      Formats, chosen by --format or the extension of the file:
      \(PresetFormatName.list)

      Examples: deadwax preset export Warm -o Warm.eqf
                deadwax preset export Warm -o config.txt --format apo
                deadwax preset export Warm Clear -o winamp.q1
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write; `-` is standard output.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: "The format, if the file's extension does not determine it.")
  var format: String?

  @Option(help: ArgumentHelp("Maximum number of bands, for formats that take any number.", valueName: "count"))
  var bands: Int?

  @Flag(help: "Exit with status 3 if a setting could not be exported.")
  var strict = false

  @Argument(help: ArgumentHelp("The presets.", valueName: "name"), completion: Completions.presets)
  var names: [String]

  func validate() throws {
    try ValidationError.require("bands", bands, in: 1...64)
    let format = try resolvedFormat()
    if bands != nil, !format.hasFreeBands {
      throw ValidationError("--bands: \(format.title) has a fixed number of bands, or as many as the preset")
    }
    guard names.count == 1 || format.isLibrary else {
      throw ValidationError("\(format.title) holds one preset, not \(names.count)")
    }
  }

  func run() throws {
    let format = try resolvedFormat()
    let presets = try library.reading { store in try names.map { try store.presets.preset(named: $0).preset() } }
    let export = try PresetExport(presets, as: format, maximumBandCount: bands)
    if file == "-" {
      if StandardOutput.isTerminal, format == .winamp || format == .winampLibrary {
        throw ValidationError("\(format.title) cannot be shown in a terminal; name a file with -o")
      }
      try StandardOutput.write(bytes: export.bytes)
    } else {
      try OutputFile(BytePath(argument: file)).write(export.bytes, protecting: library.protectedFiles(for: file))
    }
    let subject =
      file == "-" ? presets.map(\.name.text).joined(separator: ", ") : BytePath(argument: file).displayString
    ExchangeReport.write(export.notes, about: subject, output: output)
    // Smaller errors come from the last digit that the format stores.
    if !output.quiet, export.deviation.maximum >= 0.005 {
      StandardError.line(TerminalText.escaped("\(subject): the curve is \(export.deviation)"))
    }
    if strict, !export.notes.isEmpty { throw ExitCode(ExitStatus.problemsUnderStrict) }
  }

  private func resolvedFormat() throws -> PresetFormat {
    if let format { return try PresetFormatName.format(format) }
    let name = file == "-" ? "" : BytePath(argument: file).lastComponent.displayString
    if let format = PresetFormat(fileName: name) { return format }
    let known = PresetFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("the file's extension does not determine the format; choose one with --format: \(known)")
  }
}

/// The names of formats on the command line.
enum PresetFormatName {
  /// For help texts: one line for each format.
  static var list: String {
    let width = PresetFormat.allCases.map(\.rawValue.count).max() ?? 0
    return PresetFormat.allCases.map { format in
      "  \(format.rawValue)\(String(repeating: " ", count: width - format.rawValue.count))  \(format.title)"
    }.joined(separator: "\n")
  }

  static func format(_ name: String) throws -> PresetFormat {
    if let format = PresetFormat(rawValue: name.lowercased()) { return format }
    let known = PresetFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("unknown format of presets '\(TerminalText.escaped(name))'; the formats are \(known)")
  }
}
