internal import MediaImport
internal import MediaModel

/// What `reanalyze` says: the plan before, the results after.
struct ReanalysisText {
  /// Recordings that are skipped are listed up to here, unless more is asked for.
  private static let listedCount = 20

  let report: ReanalysisReport
  let output: OutputOptions
  let isDryRun: Bool
  let json: Bool

  func write() throws {
    writeSkipped()
    if json {
      try StandardOutput.line(try JSONDocument.text(ReanalysisDocument(report, isDryRun: isDryRun)))
    } else if !output.quiet {
      for line in isDryRun ? Self.lines(report.plan) : lines { try StandardOutput.line(line) }
    }
  }

  /// Recordings one by one, but for those of which no folder is there.
  private func writeSkipped() {
    func isElsewhere(_ skipped: ReanalysisReport.Skipped) -> Bool { skipped.isAway && skipped.path == nil }
    let single = report.skipped.filter { !isElsewhere($0) }
    let shown = output.verbose ? single.count : Self.listedCount
    for skipped in single.prefix(shown) {
      let name = skipped.path.map { TerminalText.escaped($0.displayString) } ?? "track \(skipped.recordingID)"
      StandardError.line("\(name): skipped: \(TerminalText.escaped(skipped.reason))")
    }
    if single.count > shown { StandardError.line("\(single.count - shown) more were skipped") }
    let byFolder = Dictionary(grouping: report.skipped.filter(isElsewhere), by: \.reason)
    for (reason, skipped) in byFolder.sorted(by: { $0.key < $1.key }) {
      StandardError.line(
        "\(PlainText.count(skipped.count, "recording")) skipped: \(TerminalText.escaped(reason))")
    }
  }

  private static func resumption(_ plan: ReanalysisPlan) -> [String] {
    guard let since = plan.resumedSince else { return [] }
    let done = PlainText.count(plan.doneCount, "recording")
    return ["goes on with the run of \(PlainText.moment(since)): \(done) done; --restart begins anew"]
  }

  /// How many recordings, which products of how many and why, how much audio, and how long it will take.
  static func lines(_ plan: ReanalysisPlan) -> [String] {
    var lines = resumption(plan)
    guard plan.recordingCount > 0 else { return lines + ["nothing to make"] }
    let hours = PlainText.duration(plan.audioInSeconds)
    lines.append("\(PlainText.count(plan.recordingCount, "recording")), \(hours) of audio to decode")
    let width = plan.counts.keys.map(\.kind.rawValue.count).max() ?? 0
    for (cause, count) in plan.counts.sorted(by: { $0.key < $1.key }) {
      let name = cause.kind.rawValue.padding(to: width)
      lines.append("  \(name)  \(PlainText.count(count, "recording")): \(cause.reason.rawValue)")
    }
    if plan.undecodedCount > 0 {
      lines.append("\(PlainText.count(plan.undecodedCount, "recording")) without decoding, from what is stored")
    }
    lines.append(
      plan.estimateInSeconds.map { "about \(PlainText.duration($0)), going by earlier runs" }
        ?? "how long it will take is not known: there is no earlier run to go by")
    return lines
  }

  private var lines: [String] {
    var counts = [
      "\(PlainText.count(report.productCount, "product")) made, \(report.changedProductCount) of them different"
    ]
    if report.undecodedCount > 0 {
      counts.append("\(PlainText.count(report.undecodedCount, "recording")) without decoding")
    }
    if !report.skipped.isEmpty { counts.append("\(report.skipped.count) skipped") }
    let isInterrupted = report.stoppedBySignal != nil
    if report.plan.recordingCount == 0, !isInterrupted { return Self.resumption(report.plan) + ["nothing to make"] }
    var lines = Self.resumption(report.plan)
    lines += [(isInterrupted ? "Interrupted: " : "") + counts.joined(separator: ", ")]
    if report.decodedFileCount > 0 {
      let pace = report.elapsedInSeconds > 0 ? Int(report.audioInSeconds / report.elapsedInSeconds) : 0
      lines.append(
        "\(PlainText.count(report.decodedFileCount, "file")) decoded, \(DurationText.clock(report.audioInSeconds)) of audio in "
          + "\(DurationText.seconds(report.elapsedInSeconds)) (\(pace) × real time)")
    }
    if isInterrupted { lines.append("The same command goes on from here.") }
    if report.awayCount > 0 {
      let count = PlainText.count(report.awayCount, "recording")
      lines.append("\(count) left, whose folder or disk is not there; the same command makes them once it is.")
    }
    return lines
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// `reanalyze --json`; the keys are a promise.
private struct ReanalysisDocument: Encodable {
  struct Cause: Encodable {
    let kind, reason: String
    let recordings: Int
  }

  struct Skipped: Encodable {
    let id: Int64
    let path: String?
    let reason: String
  }

  let schema = 1
  let dry_run: Bool
  let recordings, resumed_recordings: Int
  let planned_audio_seconds: Double
  let estimated_seconds: Double?
  let causes: [Cause]
  let decoded_files, products, changed_products, recordings_without_decoding: Int
  let skipped: [Skipped]
  /// Of those, how many may be made once their folder or disk is there.
  let away: Int
  let audio_seconds, elapsed_seconds: Double
  let interrupted: Bool

  init(_ report: ReanalysisReport, isDryRun: Bool) {
    let plan = report.plan
    dry_run = isDryRun
    recordings = plan.recordingCount
    resumed_recordings = plan.doneCount
    planned_audio_seconds = plan.audioInSeconds
    estimated_seconds = plan.estimateInSeconds
    causes = plan.counts.sorted { $0.key < $1.key }.map {
      Cause(kind: $0.key.kind.rawValue, reason: $0.key.reason.rawValue, recordings: $0.value)
    }
    decoded_files = report.decodedFileCount
    products = report.productCount
    changed_products = report.changedProductCount
    recordings_without_decoding = isDryRun ? plan.undecodedCount : report.undecodedCount
    skipped = report.skipped.map {
      Skipped(id: $0.recordingID, path: $0.path?.displayString, reason: $0.reason)
    }
    away = report.awayCount
    audio_seconds = report.audioInSeconds
    elapsed_seconds = report.elapsedInSeconds
    interrupted = report.stoppedBySignal != nil
  }
}
