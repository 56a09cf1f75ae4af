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
      changed. The library that is there stays beside it, under a name that ends in the time; the backup stays, too.
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The backup.", completion: .file())
  var file: String

  @Flag(help: "One JSON document.")
  var json = false

  func run() throws {
    let path = try library.path()
    let report = try LibraryRestoring.restore(BytePath(argument: file), to: path)
    if json {
      try StandardOutput.line(report.restored.document(path: path, keptAt: report.keptAt).prettyText)
    } else if !output.quiet {
      try StandardOutput.line("\(TerminalText.escaped(path.displayString)): restored; \(report.restored.text)")
      if let kept = report.keptAt {
        StandardError.line("what was there is now \(TerminalText.escaped(kept.displayString))")
      }
    }
  }
}
