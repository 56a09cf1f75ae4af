internal import ArgumentParser
internal import Base
internal import LibraryScanning
internal import UserData

/// `deadwax undo`, and `deadwax preset undo`.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the latest change to presets, lists, ratings, covers, albums …; repeat it to go further back.",
    discussion: """
      Each command counts as one change, including merges, and changes to albums, artist separators and covers. \
      Exits with status 1 if there is nothing to undo, or if music files were written after the latest change: \
      `tags undo` reverts that. This command never writes files.

      Examples: deadwax undo --list
                deadwax undo
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Flag(help: "List the changes, latest first, without undoing anything.")
  var list = false

  @Option(help: ArgumentHelp("List at most this many changes (default: 100).", valueName: "n"))
  var limit: Int?

  @Flag(help: "Undo the latest change even if files were written after it.")
  var keepFiles = false

  func validate() throws {
    guard let limit else { return }
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit)") }
    if !list { throw ValidationError("--limit needs --list") }
  }

  func run() throws {
    if list { return try library.reading { try write(try $0.journal.changes(limit: limit ?? 100)) } }
    let change = try library.writing { store in
      if !keepFiles, let latest = try store.fileChanges.latestAfterJournal() { throw FilesWereWritten(latest) }
      return try store.journal.undo()
    }
    if change.lostRowCount > 0 {
      StandardError.line(
        "\(NumberText.count(change.lostRowCount, "part")) not restored: the track or list is no longer in the library")
    }
    if document.isWanted {
      try document.write(Self.json(change).preceded(by: [.init("schema", .integer(1))]))
    } else if !output.quiet {
      try StandardOutput.line(TerminalText.escaped("undone: \(change.summary)"))
    }
  }

  private func write(_ changes: [JournalChange]) throws {
    if document.jsonl {
      for change in changes { try StandardOutput.line(Self.json(change).text) }
    } else if document.json {
      try document.write(.object(["schema": .integer(1), "changes": .array(changes.map(Self.json))]))
    } else {
      var table = TextTable(
        [.init(title: "", canShrink: false), .init(title: "", canShrink: false), .init(title: "")], hasHeading: false)
      for change in changes {
        try table.add([NumberText.moment(change.madeAt), change.undoneAt == nil ? "" : "undone", change.summary])
      }
      try table.finish()
      if changes.isEmpty, limit != 0 { output.tellNothing("no changes yet") }
    }
  }

  private static func json(_ change: JournalChange) -> JSONValue {
    .object([
      "id": .integer(change.id), "summary": .string(change.summary),
      "made_at": .string(Timestamp(secondsSince1970: change.madeAt).description),
      "undone_at": .string(change.undoneAt.map { Timestamp(secondsSince1970: $0).description }),
    ])
  }
}

/// The latest change is one of files, which `undo` does not touch.
private struct FilesWereWritten: CommandError, CustomStringConvertible {
  let description: String
  let exitStatus: Int32 = 1

  init(_ change: FileChangeSummary) {
    description =
      "files were written after the latest change of the library (\(change.summary)): `deadwax tags undo` restores them; "
      + "`deadwax undo --keep-files` leaves them as they are and undoes the change in the library"
  }
}
