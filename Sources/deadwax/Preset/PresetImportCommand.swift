internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

struct PresetImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make presets of the files of other programs.",
    discussion: """
      A file is known by its content; --format is for those that are not. What a file says and a preset cannot is \
      named on standard error, with its line, byte or key. Curves of any length (GraphicEQ) are fitted with bands, and the \
      error is said. Either all presets are kept, or none.

      Formats:
      \(PresetFormatName.list)

      Examples: deadwax preset import 'Phones ParametricEQ.txt'
                deadwax preset import config.txt --name Desk --dry-run
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "What the preset shall be called; without it, what the file says or is called.")
  var name: String?

  @Option(help: "The format of the files.")
  var format: String?

  @Option(help: ArgumentHelp("At most so many bands for a curve that is fitted, 1 to 64.", valueName: "count"))
  var bands = 20

  @Flag(help: "Let presets that are there already become what the files say; their assignments stay.")
  var replace = false

  @Flag(help: "Only say what would be imported.")
  var dryRun = false

  @Flag(help: "Exit with status 3 when something could not be said.")
  var strict = false

  @Flag(help: "Write a JSON document with the presets and all notes.")
  var json = false

  @Argument(help: "The files; - is standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    try ValidationError.require("bands", bands, in: 1...64)
    if let format { _ = try PresetFormatName.format(format) }
  }

  func run() throws {
    let name = try name.map { try PresetName($0) }
    let format = try format.map(PresetFormatName.format)
    var imports: [(path: BytePath, result: PresetImport, presets: [Preset])] = []
    var failureCount = 0
    for file in files {
      let path = BytePath(argument: file)
      do {
        let source = try PresetFile(path)
        let result = try PresetImport(
          source.bytes, format: format, fileName: source.name, identity: source.identity, maximumBandCount: bands,
          find: { source.included($0, by: $1) })
        if name != nil, result.presets.count > 1 {
          throw InputFile.Failure(path: path, reason: "holds \(result.presets.count) presets: --name is for one")
        }
        imports.append((path, result, result.presets.map { Preset(name: name ?? $0.name, chain: $0.chain) }))
      } catch {
        failureCount += 1
        let text = error is ExportError ? "\(path.displayString): \(error)" : "\(error)"
        StandardError.line(TerminalText.escaped(text))
      }
    }
    guard failureCount == 0 else { throw ExitCode(1) }
    let presets = imports.flatMap(\.presets)
    var names: Set<PresetName> = []
    for preset in presets where !names.insert(preset.name).inserted {
      throw ValidationError(
        "several files hold a preset '\(TerminalText.escaped(preset.name.text))': import them apart")
    }
    if !dryRun {
      try library.writing(.createIfMissing) { try $0.importPresets(presets, replacing: replace) }
    }
    try report(imports)
    if strict, imports.contains(where: { !$0.result.notes.isEmpty }) {
      throw ExitCode(CommandFailure.problemsUnderStrict)
    }
  }

  private func report(_ imports: [(path: BytePath, result: PresetImport, presets: [Preset])]) throws {
    if json {
      let items = imports.map { item in
        JSONValue.object(
          JSONValue.path(item.path) + [
            .init("format", .string(item.result.format.rawValue)),
            .init("presets", .array(item.presets.map(\.document))),
            .init("notes", .array(item.result.notes.map(ExchangeReport.json))),
          ])
      }
      return try StandardOutput.line(JSONValue.object(["schema": .integer(1), "files": .array(items)]).prettyText)
    }
    for item in imports {
      ExchangeReport.write(item.result.notes, about: item.path.displayString, output: output)
      guard !output.quiet else { continue }
      for preset in item.presets {
        let text = "\(preset.name): \(PresetText.summary(preset.chain)) (\(item.result.format.title))"
        try StandardOutput.line(TerminalText.escaped(text))
      }
    }
  }
}
