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
      try StandardOutput.line(report.document(isDryRun: isDryRun).text)
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
        "\(NumberText.count(skipped.count, "recording")) skipped: \(TerminalText.escaped(reason))")
    }
  }

  private static func resumption(_ plan: ReanalysisPlan) -> [String] {
    guard let since = plan.resumedSince else { return [] }
    let done = NumberText.count(plan.doneCount, "recording")
    return ["goes on with the run of \(NumberText.moment(since)): \(done) done; --restart begins anew"]
  }

  /// How many recordings, which products of how many and why, how much audio, and how long it will take.
  static func lines(_ plan: ReanalysisPlan) -> [String] {
    var lines = resumption(plan)
    guard plan.recordingCount > 0 else { return lines + ["nothing to make"] }
    let hours = DurationText.clock(plan.audioInSeconds)
    lines.append("\(NumberText.count(plan.recordingCount, "recording")), \(hours) of audio to decode")
    let width = plan.counts.keys.map(\.kind.rawValue.count).max() ?? 0
    for (cause, count) in plan.counts.sorted(by: { $0.key < $1.key }) {
      let name = cause.kind.rawValue.padding(to: width)
      lines.append("  \(name)  \(NumberText.count(count, "recording")): \(cause.reason.rawValue)")
    }
    if plan.undecodedCount > 0 {
      lines.append("\(NumberText.count(plan.undecodedCount, "recording")) without decoding, from what is stored")
    }
    lines.append(
      plan.estimateInSeconds.map { "about \(DurationText.clock($0)), going by earlier runs" }
        ?? "how long it will take is not known: there is no earlier run to go by")
    return lines
  }

  private var lines: [String] {
    var counts = [
      "\(NumberText.count(report.productCount, "product")) made, \(report.changedProductCount) of them different"
    ]
    if report.undecodedCount > 0 {
      counts.append("\(NumberText.count(report.undecodedCount, "recording")) without decoding")
    }
    if !report.skipped.isEmpty { counts.append("\(report.skipped.count) skipped") }
    let isInterrupted = report.stoppedBySignal != nil
    if report.plan.recordingCount == 0, !isInterrupted { return Self.resumption(report.plan) + ["nothing to make"] }
    var lines = Self.resumption(report.plan)
    lines += [(isInterrupted ? "Interrupted: " : "") + counts.joined(separator: ", ")]
    if report.decodedFileCount > 0 {
      lines.append(
        NumberText.decoding(
          report.decodedFileCount, audioInSeconds: report.audioInSeconds, elapsedInSeconds: report.elapsedInSeconds))
    }
    if isInterrupted { lines.append("The same command goes on from here.") }
    if report.awayCount > 0 {
      let count = NumberText.count(report.awayCount, "recording")
      lines.append("\(count) left, whose folder or disk is not there; the same command makes them once it is.")
    }
    return lines
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension ReanalysisReport {
  /// `reanalyze --json`; the keys are a promise.
  fileprivate func document(isDryRun: Bool) -> JSONValue {
    let causes = plan.counts.sorted { $0.key < $1.key }.map { cause, count in
      JSONValue.object([
        "kind": .string(cause.kind.rawValue), "reason": .string(cause.reason.rawValue), "recordings": .integer(count),
      ])
    }
    let skipped = self.skipped.map { skipped in
      JSONValue.object(
        [.init("id", .integer(skipped.recordingID))]
          + JSONValue.path(skipped.path) + [.init("reason", .string(skipped.reason))])
    }
    return .object([
      "schema": .integer(1), "dry_run": .bool(isDryRun), "recordings": .integer(plan.recordingCount),
      "resumed_recordings": .integer(plan.doneCount), "planned_audio_seconds": .number(plan.audioInSeconds),
      "estimated_seconds": .number(plan.estimateInSeconds), "causes": .array(causes),
      "decoded_files": .integer(decodedFileCount), "products": .integer(productCount),
      "changed_products": .integer(changedProductCount),
      "recordings_without_decoding": .integer(isDryRun ? plan.undecodedCount : undecodedCount),
      "skipped": .array(skipped),
      // Of those, how many may be made once their folder or disk is there.
      "away": .integer(awayCount), "audio_seconds": .number(audioInSeconds),
      "elapsed_seconds": .number(elapsedInSeconds), "interrupted": .bool(stoppedBySignal != nil),
    ])
  }
}
