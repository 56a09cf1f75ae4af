internal import ArgumentParser
internal import Glibc
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax merge`: other libraries' rows into this one.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Take over what other libraries know: files, analyses, presets, lists and attributes.",
    discussion: """
      For collections that were analysed on several machines. The other libraries are only read; where there is no library \
      to merge into, one is made. Sounds are one if their encoded audio is the same; of two analyses the one that this \
      version of Deadwax would make is taken, else the newer one. Folders keep their paths unless --map says where they \
      are here.

      What you decided is never replaced. Where two libraries disagree, what this one says stays, and the difference is \
      listed; a preset or list of the same name but another content is kept as "NAME (2)". `preset undo` takes back what \
      was added of presets. The library as it was stays beside it, unless --no-backup is given.

      It can be stopped at any time: then some sounds and files may be there already, and the same command completes the \
      rest. \
      Exits with status 75 while a scan of this library runs, or what excludes scans.

      Examples: deadwax merge laptop.sqlite --dry-run
                deadwax merge laptop.sqlite --map /home/me/Music=/srv/music
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The libraries to take over.", completion: .file(extensions: ["sqlite"]))
  var libraries: [String]

  @Option(
    help: ArgumentHelp(
      "A folder OLD of the other libraries is NEW here, with all below it; may be repeated.", valueName: "old=new"))
  var map: [PathMapping] = []

  @Flag(help: "Say what would be taken over, and change nothing. What writes has to wait meanwhile.")
  var dryRun = false

  @Flag(inversion: .prefixedNo, help: "Keep the library as it was in a file beside it.")
  var backup = true

  @Flag(help: "One JSON document.")
  var json = false

  @Flag(help: "Exit with status 3 when libraries disagree, or something of them is damaged.")
  var strict = false

  func validate() throws {
    if libraries.contains("") { throw ValidationError("merge needs paths of libraries") }
  }

  func run() throws {
    let paths = libraries.map { BytePath(argument: $0) }
    // Before a new library is made.
    for path in paths { try MediaStore.requireLibrary(at: path) }
    let store = try dryRun ? library.openForDryRun(.readWrite) : library.open(.createIfMissing)
    defer { try? store.close() }
    let stop = try StopSignal.catchingSignals()
    let report = try merge(paths, into: store, until: stop)
    try store.close()
    try MergeText(report: report, output: output, isDryRun: dryRun, json: json).write()
    if !dryRun, !report.isInterrupted, !report.isChanged, !output.quiet {
      StandardError.line("nothing was changed" + (backup ? "; the copy of the library is removed again" : ""))
    }
    if report.isInterrupted { throw ExitCode(128 + (stop.number ?? SIGINT)) }
    if strict && report.hasProblems { throw ExitCode(CommandFailure.problemsUnderStrict) }
  }

  private func merge(_ paths: [BytePath], into store: MediaStore, until stop: StopSignal) throws -> MergeReport {
    let isShown = output.showsProgress
    var line = ProgressLine()
    defer { line.clear() }
    let options = MergeOptions(
      mappings: map, isDryRun: dryRun, keepsCopy: backup, refusal: { ScanFolders.refusal(of: $0) })
    return try store.merge(paths, options: options, didKeep: sayKept) { step in
      if isShown {
        line.show { width in
          let name = TerminalText.escaped(step.library.displayString)
          let sounds = step.totalCount.map { "\(step.doneCount)/\($0) sounds" } ?? "reading"
          let work = step.doneFileCount > 0 ? "\(step.doneFileCount) files" : sounds
          return DisplayWidth.truncated("\(work) · \(name)", toWidth: max(width, 0))
        }
      }
      return stop.number == nil
    }
  }

  /// At once: whose merge fails needs it most.
  private func sayKept(at place: BytePath) {
    guard !output.quiet else { return }
    StandardError.line("the library as it was is now \(TerminalText.escaped(place.displayString))")
  }
}

extension PathMapping: ExpressibleByArgument {
  /// Two absolute paths; the first one ends where `=/` stands for the first time.
  package init?(argument: String) {
    let bytes = BytePath(argument: argument).bytes
    let slash = UInt8(ascii: "/")
    guard bytes.first == slash,
      let end = bytes.indices.first(where: { bytes[$0...].starts(with: [UInt8(ascii: "="), slash]) })
    else { return nil }
    self.init(from: BytePath(bytes[..<end]), to: BytePath(bytes[(end + 1)...]))
  }
}
