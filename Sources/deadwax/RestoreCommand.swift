internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// `deadwax restore`: a backup becomes the library again.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the place of the library.",
    discussion: """
      The backup is read to its end first; one that is damaged or was made by a newer version is refused, and nothing is \
      changed. The library that is there stays beside it, under a name that ends in the time; the backup stays as it is, also \
      one of an older version. Damaged waveforms do not keep a backup from being restored, nor do damaged rows: both are told.

      With --list nothing is restored: it names the copies there are, the newest first. Of FILE these are it and the older \
      FILE.1, FILE.2 and so on; of a folder all copies in it; without FILE those beside the library, among them what it was \
      before a restore, a merge or a newer version.

      Examples: deadwax restore --list /mnt/usb/deadwax.sqlite
                deadwax restore /mnt/usb/deadwax.sqlite.1
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The backup.", completion: .file())
  var file: String?

  @Flag(help: "List the copies that could be restored, with what is in them.")
  var list = false

  @Flag(help: "One JSON document.")
  var json = false

  func validate() throws {
    guard list || file != nil else {
      throw ValidationError("restore needs the name of a backup; --list shows what there is")
    }
    if file == "" { throw ValidationError("restore needs the name of a backup") }
  }

  func run() throws {
    let path = try library.path()
    guard let file, !list else {
      return try BackupList(of: file.map { BytePath(argument: $0) }, library: path).write(json)
    }
    let report = try output.showing("copying the backup and checking the copy") {
      try LibraryRestoring.restore(BytePath(argument: file), to: path)
    }
    for problem in report.problems {
      StandardError.line("\(TerminalText.escaped(path.displayString)): \(problem)")
    }
    if json {
      try StandardOutput.line(
        report.restored.document(path: path, keptAt: report.keptAt, problems: report.problems).prettyText)
    } else if !output.quiet {
      try StandardOutput.line("\(TerminalText.escaped(path.displayString)): restored; \(report.restored.text)")
      if let kept = report.keptAt {
        StandardError.line("what was there is now \(TerminalText.escaped(kept.displayString))")
      }
    }
  }
}
