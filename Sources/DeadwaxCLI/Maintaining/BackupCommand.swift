internal import ArgumentParser
internal import Base
internal import LibraryRecovery
internal import MediaStore

/// `deadwax backup`: writes a verified copy of the library.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write a consistent, verified copy of the library.",
    discussion: """
      The copy is a consistent snapshot, even while a scan runs. It is verified before it replaces FILE; the \
      previous backup becomes FILE.1, the one before it FILE.2, up to --keep.

      Exits with status 4 and changes nothing if FILE has more presets, assignments, lists or attributes than the \
      library, or if rows of the library are damaged, because the existing backup may then be the better one.

      Examples: deadwax backup /mnt/usb/deadwax.sqlite --keep 3
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The file to write.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The number of older backups to keep, from 0 to 999.", valueName: "n"))
  var keep = 1

  @Flag(help: "Also replace a backup that has more presets or lists, is less damaged, or cannot be read.")
  var force = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard !file.isEmpty else { throw ValidationError("backup needs a file to write") }
    guard file != "-" else {
      throw ValidationError("a backup cannot go to standard output, because it is read back for verification")
    }
    try ValidationError.require("keep", keep, in: 0...999)
  }

  func run() throws {
    let path = BytePath(argument: file)
    let report = try output.showing("copying the library and verifying the copy") {
      try library.reading { try $0.backUp(to: path, keeping: keep, replacesMore: force) }
    }
    let source = try library.path()
    for problem in report.problems {
      StandardError.line("\(TerminalText.escaped(source.displayString)): \(ErrorAdvice.text(of: problem))")
    }
    if json {
      try StandardOutput.line(report.rows.document(path: path, problems: report.problems).prettyText)
    } else if !output.quiet {
      try StandardOutput.line("\(TerminalText.escaped(path.displayString)): written and verified; \(report.rows.text)")
    }
  }
}

extension UserRows {
  /// The contents of a backup in words.
  var text: String {
    [
      NumberText.count(presets, "preset"), NumberText.count(assignments, "assignment"), NumberText.count(lists, "list"),
      NumberText.count(attributes, "attribute"),
    ].joined(separator: ", ")
  }

  func document(path: BytePath, keptAt: BytePath? = nil, problems: [LibraryProblem]) -> JSONValue {
    JSONValue.object([
      "presets": .integer(presets), "assignments": .integer(assignments), "lists": .integer(lists),
      "list_entries": .integer(listEntries), "attributes": .integer(attributes),
      "problems": .array(problems.map { .string(ErrorAdvice.text(of: $0)) }),
    ]).preceded(
      by: [.init("schema", .integer(1))] + JSONValue.path(path) + JSONValue.path(keptAt, key: "kept_at"))
  }
}
