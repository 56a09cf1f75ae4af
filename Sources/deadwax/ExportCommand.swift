internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// `deadwax export`: what is known of many files, for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write what is known of the files that a query finds, for other programs.",
    discussion: """
      fingerprints: AcoustID fingerprints as `fpcalc` prints them. text is FILE=, DURATION= and FINGERPRINT= with a blank \
      line between files; json an object a line with path, duration and fingerprint; csv the same in columns.

      \(QueryHelp.short)

      Example: deadwax export --what fingerprints 'artist:nora' --format json -o nora.json
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var query: QueryArgument

  @Option(name: .customLong("what"), help: "What to export.")
  var subject: ExportSubject

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; without it, or with `-`, standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: "The format; without it what the file's ending says, else text.")
  var format: String?

  @Flag(help: "Fingerprints as numbers instead of compressed text.")
  var raw = false

  private var file: BytePath? { output.flatMap { $0 == "-" ? nil : BytePath(argument: $0) } }

  private var choices: ExportChoices {
    let ending = file?.pathExtension
    let chosen =
      format?.lowercased() ?? ending.flatMap { subject.formats.contains($0) ? $0 : nil } ?? subject.formats[0]
    return ExportChoices(format: chosen, isRaw: raw)
  }

  func validate() throws {
    guard subject.formats.contains(choices.format) else {
      let known = subject.formats.joined(separator: ", ")
      throw ValidationError("there is no format '\(TerminalText.escaped(choices.format))' here; there are \(known)")
    }
  }

  func run() throws {
    try library.reading { store in
      let content = try subject.content(of: try query.query(in: store), in: store, choices)
      guard let file else { return try content.write(from: store) { try StandardOutput.write($0) } }
      let output = try OutputFile(file).begin(protecting: content.inputs + [try library.path()])
      try content.write(from: store) { try output.append($0.utf8) }
      try output.commit()
    }
  }
}
