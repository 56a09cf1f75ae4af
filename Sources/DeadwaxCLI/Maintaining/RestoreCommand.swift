internal import ArgumentParser
internal import Base
internal import LibraryRecovery
internal import MediaStore

/// `deadwax restore`: replaces the library with a backup.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the library with a backup.",
    discussion: """
      The whole backup is read first; if it is damaged or comes from a newer version, it is refused and nothing is \
      changed. The current library is kept next to the restored one, with a timestamp at the end of its name. The \
      backup itself is not changed, even if it comes from an older version. Damaged waveforms or rows are reported, \
      but do not prevent a restore. First stop `deadwax serve` and other programs that have the library open.

      --list lists copies, the newest first, and restores nothing: FILE with FILE.1, FILE.2 and so on; all copies in \
      a folder; or without FILE those next to this library, including copies from before a restore, a merge or a \
      migration.

      Examples: deadwax restore --list /mnt/usb/deadwax.sqlite
                deadwax restore /mnt/usb/deadwax.sqlite.1
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The backup; with --list also a folder.", completion: .file())
  var file: String?

  @Flag(help: "List the copies that can be restored, with their contents.")
  var list = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard list || file != nil else {
      throw ValidationError("restore needs the name of a backup; --list shows all")
    }
    if file == "" { throw ValidationError("restore needs the name of a backup") }
  }

  func run() throws {
    let path = try library.path()
    guard let file, !list else {
      let backups = try BackupList(of: file.map { BytePath(argument: $0) }, library: path)
      try backups.write(json)
      if backups.isEmpty, !json { output.tellNothing("no copies found") }
      return
    }
    let report = try output.showing("copying the backup and verifying the copy") {
      try LibraryRestoring.restore(BytePath(argument: file), to: path)
    }
    for problem in report.problems {
      StandardError.line("\(TerminalText.escaped(path.displayString)): \(ErrorAdvice.text(of: problem))")
    }
    if json {
      try StandardOutput.line(
        report.restored.document(path: path, keptAt: report.keptAt, problems: report.problems).prettyText)
    } else if !output.quiet {
      try StandardOutput.line("\(TerminalText.escaped(path.displayString)): restored; \(report.restored.text)")
      if let kept = report.keptAt {
        StandardError.line("the previous library is now \(TerminalText.escaped(kept.displayString))")
      }
    }
  }
}

/// The copies that `restore --list` shows.
struct BackupList {
  private let backups: [LibraryBackup]

  /// - Parameter path: nil for the copies beside the library.
  init(of path: BytePath?, library: BytePath) throws {
    backups = try path.map(LibraryBackup.all(of:)) ?? LibraryBackup.all(beside: library)
  }

  var isEmpty: Bool { backups.isEmpty }

  func write(_ json: Bool) throws {
    guard !json else {
      let document: JSONValue = .object(["schema": .integer(1), "backups": .array(backups.map(Self.document))])
      return try StandardOutput.line(document.prettyText)
    }
    var table = TextTable([
      .init(title: "WRITTEN", canShrink: false),
      .init(title: "SIZE", isAlignedRight: true, canShrink: false, dispensability: 2),
      .init(title: "FILES", isAlignedRight: true, canShrink: false, dispensability: 1),
      .init(title: "COPY", overflow: .isCutAsPath),
      .init(title: ""),
    ])
    for backup in backups {
      let contents = backup.contents
      try table.add([
        NumberText.moment(backup.writtenAt), NumberText.size(backup.byteCount),
        contents.map { "\($0.fileCount)" } ?? "", backup.path.displayString,
        backup.problem.map(ErrorAdvice.message) ?? contents?.rows.text ?? "",
      ])
    }
    try table.finish()
  }

  private static func document(_ backup: LibraryBackup) -> JSONValue {
    let rows = backup.contents?.rows
    return JSONValue.object([
      "written_at": .string(Timestamp(secondsSince1970: backup.writtenAt).description),
      "size_bytes": .integer(backup.byteCount), "schema_version": .integer(backup.contents?.schemaVersion),
      "files": .integer(backup.contents?.fileCount), "presets": .integer(rows?.presets),
      "assignments": .integer(rows?.assignments), "lists": .integer(rows?.lists),
      "list_entries": .integer(rows?.listEntries), "attributes": .integer(rows?.attributes),
      "corrections": .integer(rows?.corrections),
      "problem": .string(backup.problem.map(ErrorAdvice.message)),
    ]).preceded(by: JSONValue.path(backup.path))
  }
}
