internal import ArgumentParser
internal import Base
internal import DecodingService
internal import Foundation
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax watch`: keeps the library up to date while files change.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Scan folders again whenever files in them change.",
    discussion: """
      Scans once, then waits for changes in the named folders, or in all folders of the library, until Ctrl-C or \
      SIGTERM. Changes are scanned after two seconds without another change, but no later than after 30, and a line \
      is printed if anything was found. Scan network shares yourself: changes that other machines make there are not \
      reported to this one. Only one process can watch a library; other commands can still scan it.

      Examples: deadwax watch ~/Music
                deadwax watch ~/Music ~/Podcasts -j 1
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "Folders to watch; each becomes a root of the library.", completion: .directory)
  var roots: [String] = []

  @OptionGroup var workers: WorkerOptions

  func run() throws {
    var options = ScanOptions(workers: workers.configuration)
    options.folders = try roots.map { try ScanFolders.resolvedOrKnown(BytePath(argument: $0)) }
    let store = try library.open(toScan: options.folders)
    if try options.folders.isEmpty && store.roots.all().isEmpty {
      throw ValidationError("the library has no folders yet; name one to watch")
    }
    let stop = try StopSignal.catchingSignals()
    let watch = LibraryWatch(
      store: store, options: WatchOptions(scan: options), stop: stop, log: output.log, onEvent: tell)
    try watch.run()
    try store.close()
    if let signal = stop.number { throw ExitCode(128 + signal) }
  }

  /// Prints an event at once: a service's log is read while it runs.
  private func tell(_ event: WatchEvent) throws {
    switch event {
    case .watching(let count):
      try output.tell("Watching \(NumberText.count(count, "folder"))" + (count > 1 ? " (with subfolders)" : ""))
    case .scanned(let report):
      ScanReportText(report: report, output: output, isDryRun: false, verifies: false, json: false).writeMessages()
      if let line = report.changeLine { try output.tell(line) }
    case .limited(let seconds):
      StandardError.line(
        "not all folders can be watched: the limit fs.inotify.max_user_watches is reached; raise it with sysctl. "
          + "Until then, everything is also scanned every \(Int(seconds / 60)) minutes")
    case .postponed: if output.verbose { StandardError.line("another scan is running; waiting for it to end") }
    case .failed(let error): StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: error)))
    }
    try StandardOutput.flush()
  }
}

extension ScanReport {
  /// What a scan has changed, in one line; nil if that is nothing.
  fileprivate var changeLine: String? {
    let counts = [
      (summary.new, "new"), (summary.changed, "changed"), (summary.moved, "moved"), (summary.missing, "missing"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    guard !parts.isEmpty else { return nil }
    let problems = summary.problems > 0 ? ["\(summary.problems) with problems"] : []
    let now = NumberText.moment(Int64(Date().timeIntervalSince1970))
    return (summary.isInterrupted ? "Interrupted: " : "") + "\(now)  " + (parts + problems).joined(separator: ", ")
  }
}
