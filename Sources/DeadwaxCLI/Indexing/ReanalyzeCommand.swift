internal import ArgumentParser
internal import Base
internal import Foundation
internal import LibraryQueries
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// `deadwax reanalyze`: recomputes stored analyses.
struct ReanalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reanalyze",
    abstract: "Recompute outdated, missing, damaged or all analyses.",
    discussion: """
      Without an option it recomputes analyses from another version of Deadwax or with other parameters (--stale). \
      --dry-run shows what would be recomputed, why, and how long it would take. Tags, presets and everything else \
      in the library are left alone; unchanged results are not written again.

      You can stop it at any time, for example with Ctrl-C. Finished analyses are kept, and running the same command \
      again continues where it stopped, also with --force. A file that is gone or now contains another recording is \
      skipped and reported, and its analyses are kept. Recordings whose folder or disk is missing are skipped, too, \
      and the exit status is 4; run the same command again when it is back.

      Lossless recordings are identified by their samples, so a WAV and a FLAC file with the same samples are one \
      recording. --missing also identifies those stored by an older version of Deadwax. --verify recomputes nothing: \
      it reads the files again and compares them with the previous read.

      It takes ids, paths of files, or a query. \(QueryHelp.short)

      Examples: deadwax reanalyze --dry-run
                deadwax reanalyze --missing --stale
                deadwax reanalyze --force --product waveform 'genre:jazz'
                deadwax reanalyze --verify -- '-is:verified , verified:<-1y'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var query: QueryArgument

  @Flag(help: "Recompute analyses from another version or with other parameters; implied without other options.")
  var stale = false

  @Flag(help: "Compute missing analyses, and the identity of lossless recordings by their samples.")
  var missing = false

  @Flag(help: "Recompute analyses whose stored bytes are damaged; reads all of them.")
  var damaged = false

  @Flag(help: "Recompute all analyses.")
  var force = false

  @Flag(help: "With --force: start again instead of continuing an incomplete run.")
  var restart = false

  @Flag(
    help: """
      Recompute nothing; read the matching files again, and compare them with the previous read and with FLAC's \
      checksum of the samples, as `scan --verify` does for all files.
      """)
  var verify = false

  @Option(help: ArgumentHelp("Compute only these products; may be repeated.", valueName: "kind"))
  var product: [ProductKind] = []

  @OptionGroup var workers: WorkerOptions

  @Flag(help: "Show what would be recomputed, and why, without reading or storing anything.")
  var dryRun = false

  @Flag(help: "Print one JSON document instead of the summary.")
  var json = false

  @Flag(help: "Exit with status 3 if recordings were skipped.")
  var strict = false

  func validate() throws {
    if verify && (stale || missing || damaged || force || restart || !product.isEmpty) {
      throw ValidationError(
        """
        --verify recomputes nothing; it cannot be used with --stale, --missing, --damaged, --force, --restart or \
        --product
        """)
    }
    if restart && !force { throw ValidationError("--restart needs --force") }
    if force && (stale || missing || damaged) {
      throw ValidationError("--force recomputes everything; it cannot be used with --stale, --missing or --damaged")
    }
  }

  func run() throws {
    let store = try library.open(dryRun ? .readOnly : .readWrite)
    if verify { return try verifyFiles(in: store) }
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
    if report.awayCount > 0 { throw ExitCode(ExitStatus.safetyStop) }
    if strict && !report.skipped.isEmpty { throw ExitCode(ExitStatus.problemsUnderStrict) }
  }

  private func verifyFiles(in store: MediaStore) throws {
    let files = try store.files.present(in: found(in: store))
    var report = VerificationReport(files: files)
    if !dryRun, !files.isEmpty {
      var options = ScanOptions(workers: workers.configuration)
      options.folders = Set(files.map(\.root)).sorted()
      options.verifies = true
      // A file that was found through a link is found only through it.
      options.followsLinks = true
      options.onlyFiles = Set(files.map(\.id))
      let stop = try StopSignal.catchingSignals()
      var line = ProgressLine()
      let isShown = output.showsProgress
      let scan = LibraryScan(store: store, options: options, stop: stop, log: output.log) {
        if isShown { line.show($0) }
      }
      do {
        report.scan = try scan.run()
        line.clear()
      } catch {
        line.clear()
        throw error
      }
    }
    try store.close()
    try report.write(output, isDryRun: dryRun, json: json)
    guard let scan = report.scan else { return }
    if let signal = scan.stoppedBySignal { throw ExitCode(128 + signal) }
    if !scan.safetyStops.isEmpty { throw ExitCode(ExitStatus.safetyStop) }
    if strict && (scan.summary.problems > 0 || !scan.warnings.isEmpty) {
      throw ExitCode(ExitStatus.problemsUnderStrict)
    }
  }

  /// What the words mean, after remarks about them.
  private func found(in store: MediaStore) throws -> Query {
    let found = try store.tracks.query(naming: query.words)
    if !query.words.isEmpty, !output.quiet {
      try QueryRemarks.write(about: found, findsNothing: store.count(of: found) == 0, in: store, output)
    }
    return found
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
    let found = try found(in: store)
    var options = ReanalysisOptions(workers: workers.configuration, reasons: reasons, query: found)
    // Ids or absolute paths, because relative paths name other files in another folder.
    options.queryText = found.namedIDs?.joined(separator: " ") ?? query.text
    options.restarts = restart
    if !product.isEmpty { options.jobs.kinds = Set(product) }
    return options
  }
}

/// The texts of `reanalyze`: the plan and the results.
struct ReanalysisText {
  /// The number of skipped recordings that are listed without --verbose.
  private static let listedCount = 20

  let report: ReanalysisReport
  let output: OutputOptions
  let isDryRun: Bool
  let json: Bool

  func write() throws {
    writeSkipped()
    IdentityText.write(report.identities, output)
    if json {
      try StandardOutput.line(report.document(isDryRun: isDryRun).text)
    } else if !output.quiet {
      for line in isDryRun ? Self.lines(report.plan) : lines { try StandardOutput.line(line) }
    }
  }

  /// Lists skipped recordings one by one; those whose folder is not there are only counted.
  private func writeSkipped() {
    func isElsewhere(_ skipped: ReanalysisReport.Skipped) -> Bool { skipped.isAway && skipped.path == nil }
    let single = report.skipped.filter { !isElsewhere($0) }
    let shown = output.verbose ? single.count : Self.listedCount
    for skipped in single.prefix(shown) {
      let name = skipped.path.map { TerminalText.escaped($0.displayString) } ?? "track \(skipped.recordingID)"
      StandardError.line("\(name): skipped: \(TerminalText.escaped(ErrorAdvice.text(of: skipped.reason)))")
    }
    if single.count > shown { StandardError.line("\(single.count - shown) more were skipped") }
    let byFolder = Dictionary(grouping: report.skipped.filter(isElsewhere)) { ErrorAdvice.text(of: $0.reason) }
    for (reason, skipped) in byFolder.sorted(by: { $0.key < $1.key }) {
      StandardError.line(
        "\(NumberText.count(skipped.count, "recording")) skipped: \(TerminalText.escaped(reason))")
    }
  }

  private static func resumption(_ plan: ReanalysisPlan) -> [String] {
    guard let since = plan.resumedSince else { return [] }
    let done = NumberText.count(plan.doneCount, "recording")
    return ["continues the run of \(NumberText.moment(since)): \(done) done; --restart starts again"]
  }

  /// The number of recordings, the products with reasons, the amount of audio, and the estimated time.
  static func lines(_ plan: ReanalysisPlan) -> [String] {
    var lines = resumption(plan)
    guard plan.recordingCount > 0 else { return lines + ["nothing to recompute"] }
    let hours = DurationText.clock(plan.audioInSeconds)
    lines.append("\(NumberText.count(plan.recordingCount, "recording")), \(hours) of audio to decode")
    let width = plan.counts.keys.map(\.kind.rawValue.count).max() ?? 0
    for (cause, count) in plan.counts.sorted(by: { $0.key < $1.key }) {
      let name = cause.kind.rawValue.padding(to: width)
      lines.append("  \(name)  \(NumberText.count(count, "recording")): \(cause.reason.rawValue)")
    }
    if plan.sampleHashCount > 0 {
      lines.append("\(NumberText.count(plan.sampleHashCount, "recording")) without a sample hash")
    }
    if plan.undecodedCount > 0 {
      lines.append("\(NumberText.count(plan.undecodedCount, "recording")) without decoding, from what is stored")
    }
    lines.append(
      plan.estimateInSeconds.map { "about \(DurationText.clock($0)), estimated from earlier runs" }
        ?? "no time estimate: there is no earlier run")
    return lines
  }

  private var lines: [String] {
    var counts = [
      "\(NumberText.count(report.productCount, "product")) computed, \(report.changedProductCount) of them different"
    ]
    if report.undecodedCount > 0 {
      counts.append("\(NumberText.count(report.undecodedCount, "recording")) without decoding")
    }
    if report.plan.sampleHashCount > 0 {
      counts.append("\(NumberText.count(report.plan.sampleHashCount, "recording")) had no sample hash")
    }
    if !report.skipped.isEmpty { counts.append("\(report.skipped.count) skipped") }
    let isInterrupted = report.stoppedBySignal != nil
    if report.plan.recordingCount == 0, !isInterrupted {
      return Self.resumption(report.plan) + ["nothing to recompute"]
    }
    var lines = Self.resumption(report.plan)
    lines += [(isInterrupted ? "Interrupted: " : "") + counts.joined(separator: ", ")]
    if report.decodedFileCount > 0 {
      lines.append(
        NumberText.decoding(
          report.decodedFileCount, audioInSeconds: report.audioInSeconds, elapsedInSeconds: report.elapsedInSeconds))
    }
    if isInterrupted { lines.append("Run the same command again to continue.") }
    if report.awayCount > 0 {
      let count = NumberText.count(report.awayCount, "recording")
      lines.append("\(count) left, because the folder or disk is missing; run the same command again when it is back.")
    }
    return lines
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension ReanalysisReport {
  /// `reanalyze --json`; programs rely on the keys.
  fileprivate func document(isDryRun: Bool) -> JSONValue {
    let causes = plan.counts.sorted { $0.key < $1.key }.map { cause, count in
      JSONValue.object([
        "kind": .string(cause.kind.rawValue), "reason": .string(cause.reason.rawValue), "recordings": .integer(count),
      ])
    }
    let skipped = self.skipped.map { skipped in
      JSONValue.object(
        [.init("id", .integer(skipped.recordingID))]
          + JSONValue.path(skipped.path) + [.init("reason", .string(ErrorAdvice.text(of: skipped.reason)))])
    }
    return .object([
      "schema": .integer(1), "dry_run": .bool(isDryRun), "recordings": .integer(plan.recordingCount),
      "resumed_recordings": .integer(plan.doneCount), "planned_audio_seconds": .number(plan.audioInSeconds),
      "estimated_seconds": .number(plan.estimateInSeconds), "causes": .array(causes),
      "decoded_files": .integer(decodedFileCount), "products": .integer(productCount),
      "changed_products": .integer(changedProductCount),
      // Lossless recordings in the plan that were not known by their samples.
      "recordings_without_sample_hash": .integer(plan.sampleHashCount),
      "recordings_without_decoding": .integer(isDryRun ? plan.undecodedCount : undecodedCount),
      "skipped": .array(skipped),
      // How many of those can be computed when their folder or disk is there.
      "away": .integer(awayCount), "audio_seconds": .number(audioInSeconds),
      "elapsed_seconds": .number(elapsedInSeconds), "interrupted": .bool(stoppedBySignal != nil),
      // What became of recordings about which the user decided something.
      "identities": IdentityText.json(identities),
    ])
  }
}
