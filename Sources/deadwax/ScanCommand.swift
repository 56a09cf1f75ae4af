internal import ArgumentParser
internal import Glibc
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax scan`: indexes new and changed files.
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Index new and changed audio files.",
    discussion: """
      Reads each file once and keeps what can be known about its sound. Without ROOT, all folders that were scanned \
      before are looked at again: unchanged files are not opened, moved and renamed ones are recognised. A scan never \
      changes a file and never deletes anything: what is gone is marked as missing.
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "Folders to index; each becomes a root of the library.", completion: .directory)
  var roots: [String] = []

  @Option(name: [.short, .long], help: "Number of worker processes (default: one for each processor).")
  var jobs: Int?

  @Option(help: ArgumentHelp("Leave out what matches, in gitignore syntax; may be repeated.", valueName: "glob"))
  var exclude: [String] = []

  @Option(help: ArgumentHelp("Make only these products; may be repeated.", valueName: "kind"))
  var product: [ProductKind] = []

  @Flag(help: "Follow symbolic links.")
  var followLinks = false

  @Flag(help: "Look and count, but read nothing and store nothing.")
  var dryRun = false

  @Flag(help: "Read files again although their time and size did not change.")
  var deep = false

  @Flag(help: "Mark files as missing even if many vanished at once.")
  var acceptMissing = false

  @Flag(help: "Exit with status 3 when files had problems.")
  var strict = false

  @Option(help: ArgumentHelp("Give up on a file after so long without progress.", valueName: "seconds"))
  var deadline = 20.0

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 256") }
    if !(0.1...86_400).contains(deadline) { throw ValidationError("--deadline takes seconds from 0.1 to 86400") }
  }
}
