internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// `deadwax backup`: a copy of the library that can be trusted.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write a consistent, verified copy of the library.",
    discussion: """
      The copy is the library as it is at one moment, also while a scan runs. It is checked before it takes its name; the \
      backup that has that name becomes FILE.1, that one FILE.2, as far as --keep goes.

      Exits with status 4, having changed nothing, where FILE has more presets, assignments, lists or attributes than the \
      library, or where rows of the library are damaged: after an accident the backup is worth more than what it would be \
      replaced by.

      Examples: deadwax backup /mnt/usb/deadwax.sqlite --keep 3
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "Where to write it.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("How many older backups stay, from 0 to 999.", valueName: "n"))
  var keep = 1

  @Flag(help: "Also replace a backup that has more of what you decided, is sounder, or cannot be read.")
  var force = false

  @Flag(help: "One JSON document.")
  var json = false

  func validate() throws {
    guard !file.isEmpty else { throw ValidationError("backup needs the name of a file") }
    guard file != "-" else {
      throw ValidationError("a backup is read again to be checked: it cannot go to standard output")
    }
    try ValidationError.require("keep", keep, in: 0...999)
  }

  func run() throws {
    let path = BytePath(argument: file)
    let report = try output.showing("copying the library and checking the copy") {
      try library.reading { try $0.backUp(to: path, keeping: keep, replacesMore: force) }
    }
    for problem in report.problems {
      StandardError.line("\(TerminalText.escaped(path.displayString)): \(problem)")
    }
    if json {
      try StandardOutput.line(report.rows.document(path: path, problems: report.problems).prettyText)
    } else if !output.quiet {
      try StandardOutput.line("\(TerminalText.escaped(path.displayString)): written and checked; \(report.rows.text)")
    }
  }
}

extension UserRows {
  /// What a backup says of what it holds.
  var text: String {
    [
      NumberText.count(presets, "preset"), NumberText.count(assignments, "assignment"), NumberText.count(lists, "list"),
      NumberText.count(attributes, "attribute"),
    ].joined(separator: ", ")
  }

  func document(path: BytePath, keptAt: BytePath? = nil, problems: [String]) -> JSONValue {
    JSONValue.object([
      "presets": .integer(presets), "assignments": .integer(assignments), "lists": .integer(lists),
      "list_entries": .integer(listEntries), "attributes": .integer(attributes),
      "problems": .array(problems.map { .string($0) }),
    ]).preceded(
      by: [.init("schema", .integer(1))] + JSONValue.path(path) + JSONValue.path(keptAt, key: "kept_at"))
  }
}
