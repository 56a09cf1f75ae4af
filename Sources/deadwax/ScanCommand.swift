internal import ArgumentParser
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
      changes a file and never deletes anything: what is gone is marked as missing. Patterns in files named \
      .deadwaxignore, in gitignore's syntax, leave out what lies below them, as --exclude does.

      Examples: deadwax scan ~/Music
                deadwax scan ~/Music --exclude 'Podcasts/' --exclude '*.wav'
                deadwax scan ~/Music --dry-run
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "Folders to index; each becomes a root of the library.", completion: .directory)
  var roots: [String] = []

  @OptionGroup var workers: WorkerOptions

  @Option(
    help: ArgumentHelp(
      "Leave out what matches, in gitignore syntax, in this scan; .deadwaxignore does in all. May be repeated.",
      valueName: "glob"))
  var exclude: [String] = []

  @Option(help: ArgumentHelp("Make only these products; may be repeated.", valueName: "kind"))
  var product: [ProductKind] = []

  @Flag(help: "Follow symbolic links, in this scan.")
  var followLinks = false

  @Flag(help: "Look and count, but read nothing and store nothing.")
  var dryRun = false

  @Flag(help: "Read files again although their time and size did not change.")
  var deep = false

  @Flag(help: "Mark files as missing even if many vanished at once.")
  var acceptMissing = false

  @Flag(help: "One JSON document instead of the summary.")
  var json = false

  @Flag(help: "Exit with status 3 when files had problems.")
  var strict = false

  func validate() throws {
    for pattern in exclude where GlobPattern(line: pattern.utf8) == nil {
      throw ValidationError("--exclude: '\(pattern)' is no pattern; one that begins with # is written \\#")
    }
  }

  func run() throws {
    var options = ScanOptions(workers: workers.configuration)
    options.folders = try roots.map { try ScanFolders.resolvedOrKnown(BytePath(argument: $0)) }
    options.excludedGlobs = exclude
    options.followsLinks = followLinks
    options.isDryRun = dryRun
    options.isDeep = deep
    options.acceptsMissing = acceptMissing
    if !product.isEmpty { options.kinds = Set(product) }

    let store = try openStore(toScan: options.folders)
    let stop = try StopSignal.catchingSignals()
    var line = ProgressLine()
    let isShown = output.showsProgress
    let scan = LibraryScan(store: store, options: options, stop: stop, log: output.log) {
      if isShown { line.show($0) }
    }
    let report: ScanReport
    do {
      report = try scan.run()
      line.clear()
    } catch {
      line.clear()
      throw error
    }
    try store.close()

    try ScanReportText(report: report, output: output, isDryRun: dryRun, json: json).write()
    if let signal = report.stoppedBySignal { throw ExitCode(128 + signal) }
    if !report.safetyStops.isEmpty { throw ExitCode(CommandFailure.safetyStop) }
    if strict && (report.summary.problems > 0 || !report.warnings.isEmpty) {
      throw ExitCode(CommandFailure.problemsUnderStrict)
    }
  }

  /// Makes a library only where there is a folder to scan.
  private func openStore(toScan folders: [BytePath]) throws -> MediaStore {
    do {
      return try library.open(dryRun ? .readOnly : .readWrite)
    } catch StoreError.missingLibrary(let path) {
      guard !folders.isEmpty else {
        throw ValidationError("There is no library at \(path.displayString) yet; name a folder to index")
      }
      for folder in folders { try ScanFolders.requireSuitable(try ScanFolders.resolved(folder)) }
      return try dryRun ? library.openForDryRun(.readOnly) : library.open(.createIfMissing)
    }
  }
}

extension ProductKind: ExpressibleByArgument {}
