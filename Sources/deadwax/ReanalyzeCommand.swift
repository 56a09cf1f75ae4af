internal import ArgumentParser
internal import Foundation
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax reanalyze`: makes stored analyses anew.
struct ReanalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reanalyze",
    abstract: "Make stored analyses anew: those of an older version, missing or damaged ones, or all.",
    discussion: """
      Without an option it makes what another version of Deadwax or other parameters made (--stale). --dry-run says what \
      would be made, why, and how long it would take. Tags, presets and everything else in the library stay as they are, \
      and an analysis that comes out as it was is not touched, to its last byte.

      It can be stopped at any time, with Ctrl-C or otherwise; what was stored stays, and the same command goes on from \
      there, with --force, too: the library remembers what a forced run has done until it is complete. A file that is gone \
      or holds another sound now is skipped, with the reason, and what is known of it is kept. Recordings whose folder or \
      disk is not there are left for the same command to make once it is: then it exits with status 4.

      It takes ids, paths of files, or a query. \(QueryHelp.short)

      Examples: deadwax reanalyze --dry-run
                deadwax reanalyze --missing --stale
                deadwax reanalyze --force --product waveform 'genre:jazz'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var query: QueryArgument

  @Flag(help: "Make what is there in another version or with other parameters; the default.")
  var stale = false

  @Flag(help: "Make what is not there.")
  var missing = false

  @Flag(help: "Make what has other bytes than were written; reads everything that is stored.")
  var damaged = false

  @Flag(help: "Make everything, whatever is there.")
  var force = false

  @Flag(help: "With --force: begin anew instead of going on with a run that is not complete.")
  var restart = false

  @Option(help: ArgumentHelp("Make only these products; may be repeated.", valueName: "kind"))
  var product: [ProductKind] = []

  @OptionGroup var workers: WorkerOptions

  @Flag(help: "Say what would be made, and why, but read nothing and store nothing.")
  var dryRun = false

  @Flag(help: "One JSON document instead of the summary.")
  var json = false

  @Flag(help: "Exit with status 3 when recordings were skipped.")
  var strict = false

  func validate() throws {
    if restart && !force { throw ValidationError("--restart goes with --force") }
    if force && (stale || missing || damaged) {
      throw ValidationError("--force makes everything; --stale, --missing and --damaged do not go with it")
    }
  }

  func run() throws {
    let store = try library.open(dryRun ? .readOnly : .readWrite)
    let options = try options(in: store)
    if dryRun {
      let plan = try Reanalysis(store: store, options: options).plan()
      try store.close()
      var report = ReanalysisReport()
      report.plan = plan
      return try ReanalysisText(report: report, output: output, isDryRun: true, json: json).write()
    }
    let stop = try StopSignal.catchingSignals()
    var line = ProgressLine()
    let isShown = output.showsProgress
    let reanalysis = Reanalysis(store: store, options: options, stop: stop, log: output.log) {
      if isShown { line.show($0, noun: "recordings") }
    }
    let report: ReanalysisReport
    do {
      report = try reanalysis.run { plan in
        guard isShown || output.verbose else { return }
        for text in ReanalysisText.lines(plan) { StandardError.line(text) }
      }
      line.clear()
    } catch {
      line.clear()
      throw error
    }
    try store.close()
    try ReanalysisText(report: report, output: output, isDryRun: false, json: json).write()
    if let signal = report.stoppedBySignal { throw ExitCode(128 + signal) }
    if report.awayCount > 0 { throw ExitCode(CommandFailure.safetyStop) }
    if strict && !report.skipped.isEmpty { throw ExitCode(CommandFailure.problemsUnderStrict) }
  }

  private func options(in store: MediaStore) throws -> ReanalysisOptions {
    var reasons: Set<RedoReason> = []
    if force {
      reasons = [.forced]
    } else {
      if missing { reasons.insert(.missing) }
      if damaged { reasons.insert(.damaged) }
      if stale || reasons.isEmpty { reasons.formUnion(Set<RedoReason>.stale) }
    }
    let found = try store.query(naming: query.words)
    var options = ReanalysisOptions(workers: workers.configuration, reasons: reasons, query: found)
    // Of paths the ids, or whole paths: the same words may name other files in another folder.
    options.queryText = found.namedIDs?.joined(separator: " ") ?? query.text
    options.restarts = restart
    if !product.isEmpty { options.kinds = Set(product) }
    return options
  }
}
