internal import ArgumentParser
internal import Base
internal import DecodingService
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax scan`: indexes new and changed files.
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Index new and changed audio files.",
    discussion: """
      Reads each file once and stores its tags and analyses. Without ROOTS it scans all folders of the library \
      again: unchanged files are not opened, and moved or renamed files are recognised. A scan never changes or \
      deletes a file; files that are gone are marked as missing. Files named .deadwaxignore contain patterns in \
      gitignore syntax, like --exclude, for the files below their folder.

      Examples: deadwax scan ~/Music
                deadwax scan ~/Music --exclude 'Podcasts/' --exclude '*.wav'
                deadwax scan ~/Music --dry-run
                deadwax scan ~/Music --verify
                touch next; find ~/Music -type f -cnewer last -print0 |
                  deadwax scan --root ~/Music --files-from - && mv next last
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "Folders to index; each becomes a root of the library.", completion: .directory)
  var roots: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Scan only the files listed in FILE (or - for standard input), as NUL-terminated paths below --root; listed \
      files that are gone are marked as missing, and all other files are left untouched.
      """,
      valueName: "FILE"),
    completion: .file(), transform: BytePath.init(argument:))
  var filesFrom: BytePath?

  @Option(
    help: ArgumentHelp("The folder to which the paths of --files-from belong; it becomes a root.", valueName: "FOLDER"),
    completion: .directory, transform: BytePath.init(argument:))
  var root: BytePath?

  @Option(
    help: ArgumentHelp(
      """
      Do not read the files listed in FILE (or - for standard input), each as a path below --root and a reason, both \
      terminated by a NUL byte; they become problems with the state crashed.
      """,
      valueName: "FILE"),
    completion: .file(), transform: BytePath.init(argument:))
  var crashed: BytePath?

  @OptionGroup var workers: WorkerOptions

  @Option(
    help: ArgumentHelp(
      """
      Exclude matching files from this scan, in gitignore syntax (.deadwaxignore excludes them from all scans); may \
      be repeated.
      """,
      valueName: "glob"))
  var exclude: [String] = []

  @Option(help: ArgumentHelp("Compute only these products; may be repeated.", valueName: "kind"))
  var product: [ProductKind] = []

  @Flag(help: "If a new folder contains folders of the library, make their files part of it; nothing is lost.")
  var takeOver = false

  @Flag(help: "Follow symbolic links in this scan.")
  var followLinks = false

  @Flag(help: "Find and count files without reading or storing anything.")
  var dryRun = false

  @Flag(help: "Read files again even if their time and size have not changed.")
  var deep = false

  @Flag(
    help: """
      Read every file again, and compare it with the previous read and with FLAC's checksum of the samples; files \
      with different bytes but the same size and times are damaged.
      """)
  var verify = false

  @Flag(help: "Mark files as missing even if many disappeared at once.")
  var acceptMissing = false

  @Flag(help: "Print one JSON document instead of the summary.")
  var json = false

  @OptionGroup var events: ProgressEventOptions

  @Flag(help: "Exit with status 3 if files had problems.")
  var strict = false

  func validate() throws {
    if takeOver, dryRun { throw ValidationError("--take-over changes the library, so it cannot be a --dry-run") }
    if (filesFrom == nil) != (root == nil) {
      throw ValidationError("--files-from and --root must be given together: the list, and the folder of its paths")
    }
    if crashed != nil, filesFrom == nil { throw ValidationError("--crashed needs --files-from") }
    if filesFrom != nil, !roots.isEmpty {
      throw ValidationError("--files-from takes one folder, with --root, instead of ROOTS")
    }
    for pattern in exclude where GlobPattern(line: pattern.utf8) == nil {
      throw ValidationError("--exclude: '\(pattern)' is not a pattern; write \\# for a leading #")
    }
  }

  func run() throws {
    var options = ScanOptions(workers: workers.configuration)
    options.folders = try roots.map { try ScanFolders.resolvedOrKnown(BytePath(argument: $0)) }
    if let root, let filesFrom {
      let folder = try ScanFolders.resolved(root)
      options.folders = [folder]
      let names = [folder, root.withoutTrailingSlashes]
      let listed = try Self.list("--files-from", filesFrom) { bytes throws(FileList.Failure) in
        try FileList.paths(bytes, below: names)
      }
      if let crashed {
        options.crashedFiles = try Self.list("--crashed", crashed) { bytes throws(FileList.Failure) in
          try FileList.reasons(bytes, below: names)
        }
      }
      options.listedFiles = listed + options.crashedFiles.keys.filter { !listed.contains($0) }
    }
    options.excludedGlobs = exclude
    options.takesOver = takeOver
    options.followsLinks = followLinks
    options.isDryRun = dryRun
    options.isDeep = deep
    options.verifies = verify
    options.acceptsMissing = acceptMissing
    if !product.isEmpty { options.jobs.kinds = Set(product) }

    let store = try library.open(toScan: options.folders, isDryRun: dryRun)
    for moved in try MovedRoot.found(in: options.folders, for: store) {
      let (root, folder) = (moved.root.displayString, moved.folder.displayString)
      StandardError.line(
        TerminalText.escaped(
          "\(folder) contains files of \(root), which is missing; instead of this scan, "
            + "`deadwax roots relocate '\(root)' '\(folder)'` keeps their data without decoding anything"))
    }
    let stop = try StopSignal.catchingSignals()
    var line = ProgressLine()
    let isShown = output.showsProgress && !events.jsonEvents
    var events = events.events(of: "scan")
    let scan = LibraryScan(store: store, options: options, stop: stop, log: output.log) {
      if isShown { line.show($0) }
      events?.write($0.members)
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

    try ScanReportText(report: report, output: output, isDryRun: dryRun, verifies: verify, json: json).write()
    if let signal = report.stoppedBySignal { throw ExitCode(128 + signal) }
    if !report.safetyStops.isEmpty || report.warnings.contains(where: { $0.reason == .absent }) {
      throw ExitCode(ExitStatus.safetyStop)
    }
    if strict && (report.summary.problems > 0 || !report.warnings.isEmpty) {
      throw ExitCode(ExitStatus.problemsUnderStrict)
    }
  }

  private static func list<Value>(
    _ option: String, _ file: BytePath, _ read: ([UInt8]) throws(FileList.Failure) -> Value
  ) throws -> Value {
    let bytes = try InputFile.bytes(of: file, limit: .max)
    do throws(FileList.Failure) { return try read(bytes) } catch { throw ValidationError("\(option), \(error)") }
  }
}

extension ScanProgress {
  /// Programs rely on the keys.
  fileprivate var members: [JSONValue.Member] {
    [
      .init("phase", .string(phase == .walking ? "walking" : "reading")), .init("found", .integer(foundCount)),
      .init("done", .integer(doneCount)), .init("total", .integer(totalCount)),
      .init("problems", .integer(problemCount)), .init("done_bytes", .integer(doneByteCount)),
      .init("total_bytes", .integer(totalByteCount)), .init("audio_seconds", .number(decodedSeconds)),
      .init("elapsed_seconds", .number(elapsedInSeconds)),
    ]
  }
}

extension LibraryOptions {
  /// Creates a library only if there is a folder to scan.
  func open(toScan folders: [BytePath], isDryRun: Bool = false) throws -> MediaStore {
    do {
      return try open(isDryRun ? .readOnly : .readWrite)
    } catch StoreError.missingLibrary(let path) {
      guard !folders.isEmpty else {
        throw ValidationError("there is no library at \(path.displayString) yet; name a folder to index")
      }
      for folder in folders { try ScanFolders.requireSuitable(try ScanFolders.resolved(folder)) }
      return try isDryRun ? openForDryRun(.readOnly) : open(.createIfMissing)
    }
  }
}

/// The report of a finished scan.
struct ScanReportText {
  let report: ScanReport
  let output: OutputOptions
  let isDryRun: Bool
  let verifies: Bool
  let json: Bool

  func write() throws {
    writeMessages()
    if json {
      try StandardOutput.line(report.document.text)
    } else if !output.quiet {
      for line in lines { try StandardOutput.line(line) }
    }
  }

  /// What is to be known about folders and decisions, on standard error.
  func writeMessages() {
    for warning in report.warnings {
      StandardError.line(TerminalText.escaped("\(warning.path.displayString): \(ErrorAdvice.text(of: warning.reason))"))
    }
    if output.verbose { writeRemarks() }
    for stop in report.safetyStops {
      StandardError.line(TerminalText.escaped("\(stop.root.displayString): \(ErrorAdvice.text(of: stop.reason))"))
    }
    IdentityText.write(report.identities, output)
  }

  private func writeRemarks() {
    for path in report.skippedSpecialFiles {
      StandardError.line("\(TerminalText.escaped(path.displayString)): not a regular file, skipped")
    }
    if report.skippedLinkCount > 0 {
      StandardError.line(
        "\(NumberText.count(report.skippedLinkCount, "symbolic link")) skipped; --follow-links follows them")
    }
    if let sandbox = report.sandbox {
      StandardError.line(
        "workers: Landlock version \(sandbox.landlockVersion), "
          + "opening files is \(sandbox.opensAreRefused ? "blocked" : "possible"), "
          + "other system calls are \(sandbox.callsAreFiltered ? "filtered" : "not filtered")"
      )
    }
  }

  private var lines: [String] {
    let summary = report.summary
    var counts = [
      NumberText.count(summary.found, "file") + " found", "\(summary.new) new", "\(summary.changed) changed",
      "\(summary.unchanged) unchanged",
      "\(summary.moved) moved", "\(summary.missing) missing",
    ]
    if summary.problems > 0 { counts.append("\(summary.problems) with problems") }
    var lines = [
      (isDryRun ? "Dry run: " : summary.isInterrupted ? "Interrupted: " : "") + counts.joined(separator: ", ")
    ]
    if summary.decodedFiles > 0 {
      lines.append(
        NumberText.decoding(
          summary.decodedFiles, audioInSeconds: summary.audioInSeconds, elapsedInSeconds: summary.elapsedInSeconds))
    }
    if report.excludedCount > 0 {
      let verb = report.excludedCount == 1 ? "is" : "are"
      lines.append(
        "\(NumberText.count(report.excludedCount, "known file")) \(verb) excluded now; `deadwax ls is:excluded` lists "
          + "them, `deadwax prune --excluded` forgets them.")
    }
    if verifies, !isDryRun { lines.append("\(NumberText.count(report.verifiedCount, "file")) verified") }
    if summary.problems > 0 { lines.append("`deadwax problems` lists them with the reasons.") }
    if summary.isInterrupted {
      if report.unreadCount > 0 { lines.append("\(NumberText.count(report.unreadCount, "file")) not read.") }
      lines.append("Run the same command again to continue.")
    }
    return lines
  }
}

extension ScanReport {
  /// `scan --json`; programs rely on the keys.
  fileprivate var document: JSONValue {
    .object([
      "schema": .integer(1), "found": .integer(summary.found), "new": .integer(summary.new),
      "changed": .integer(summary.changed), "unchanged": .integer(summary.unchanged), "moved": .integer(summary.moved),
      "missing": .integer(summary.missing), "problems": .integer(summary.problems),
      // Folders and files that could not be read; standard error names them.
      "warnings": .integer(warnings.count),
      // Known files that are there, but that this scan left out.
      "excluded": .integer(excludedCount),
      "decoded_files": .integer(summary.decodedFiles),
      // Files whose bytes were compared with what was read before, or with their own checksum, and agreed.
      "verified_files": .integer(verifiedCount),
      // Files that an interrupted scan did not read.
      "unread_files": .integer(unreadCount), "audio_seconds": .number(summary.audioInSeconds),
      "elapsed_seconds": .number(summary.elapsedInSeconds), "interrupted": .bool(summary.isInterrupted),
      "roots": .array(roots.map { .string($0.displayString) }),
      // The same with their bytes, if they are not UTF-8.
      "root_paths": .array(roots.map { .object(JSONValue.path($0)) }),
      // What became of recordings about which the user decided something.
      "identities": IdentityText.json(identities),
    ])
  }
}
