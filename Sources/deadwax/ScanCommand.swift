internal import ArgumentParser
internal import Foundation
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

  @OptionGroup var workers: WorkerOptions

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

  @Flag(help: "One JSON document instead of the summary.")
  var json = false

  @Flag(help: "Exit with status 3 when files had problems.")
  var strict = false

  func run() throws {
    var options = ScanOptions(workers: workers.configuration)
    options.folders = try roots.map { try ScanFolders.resolvedOrKnown(BytePath(argument: $0)) }
    options.excludedGlobs = exclude
    options.followsLinks = followLinks
    options.isDryRun = dryRun
    options.isDeep = deep
    options.acceptsMissing = acceptMissing
    if !product.isEmpty { options.kinds = Set(product) }

    let path = try library.path()
    let store = try openStore(at: path)
    let stop = try StopSignal.catchingSignals()
    var line = ScanProgressLine()
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

  /// A dry run makes no library; where there is none yet it compares with an empty one, which is gone afterwards.
  private func openStore(at path: BytePath) throws -> MediaStore {
    guard dryRun else {
      guard !roots.isEmpty || Self.exists(path) else {
        throw ValidationError(
          "There is no library at \(TerminalText.escaped(path.displayString)) yet; name a folder to index")
      }
      return try MediaStore(at: path, access: .createIfMissing)
    }
    guard !Self.exists(path), !roots.isEmpty else { return try MediaStore(at: path, access: .readOnly) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "deadwax-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    // The open file outlives its name.
    return try MediaStore(at: BytePath(folder.path).appending(BytePath("library.sqlite")), access: .createIfMissing)
  }

  private static func exists(_ path: BytePath) -> Bool {
    access(path.bytes.map { CChar(bitPattern: $0) } + [0], F_OK) == 0
  }
}

extension ProductKind: ExpressibleByArgument {}
