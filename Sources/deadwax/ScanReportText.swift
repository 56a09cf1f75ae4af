internal import MediaImport
internal import MediaModel

/// What a scan says when it is done.
struct ScanReportText {
  let report: ScanReport
  let output: OutputOptions
  let isDryRun: Bool
  let json: Bool

  func write() throws {
    for warning in report.warnings {
      StandardError.line(
        "\(TerminalText.escaped(warning.path.displayString)): \(warning.reason); what is known of it is kept")
    }
    if output.verbose { writeRemarks() }
    for stop in report.safetyStops {
      StandardError.line("\(TerminalText.escaped(stop.root.displayString)): \(stop.reason)")
    }
    if json {
      try StandardOutput.line(try JSONDocument.text(ScanDocument(report)))
    } else if !output.quiet {
      for line in lines { try StandardOutput.line(line) }
    }
  }

  private func writeRemarks() {
    for path in report.skippedSpecialFiles {
      StandardError.line("\(TerminalText.escaped(path.displayString)): not a regular file, skipped")
    }
    if report.skippedLinkCount > 0 {
      StandardError.line(
        "\(PlainText.count(report.skippedLinkCount, "symbolic link")) skipped; --follow-links follows them")
    }
    if let sandbox = report.sandbox {
      StandardError.line(
        "workers: Landlock version \(sandbox.landlockVersion), opening files is \(sandbox.opensAreRefused ? "refused" : "possible")"
      )
    }
  }

  private var lines: [String] {
    let summary = report.summary
    var counts = [
      PlainText.count(summary.found, "file") + " found", "\(summary.new) new", "\(summary.changed) changed",
      "\(summary.unchanged) unchanged",
      "\(summary.moved) moved", "\(summary.missing) missing",
    ]
    if summary.problems > 0 { counts.append("\(summary.problems) with problems") }
    var lines = [
      (isDryRun ? "Dry run: " : summary.isInterrupted ? "Interrupted: " : "") + counts.joined(separator: ", ")
    ]
    if summary.decodedFiles > 0 {
      let pace = summary.elapsedInSeconds > 0 ? Int(summary.audioInSeconds / summary.elapsedInSeconds) : 0
      lines.append(
        "\(PlainText.count(summary.decodedFiles, "file")) decoded, \(DurationText.clock(summary.audioInSeconds)) of audio in "
          + "\(DurationText.seconds(summary.elapsedInSeconds)) (\(pace) × real time)")
    }
    if summary.problems > 0 { lines.append("`deadwax problems` says which files and why.") }
    if summary.isInterrupted {
      if report.unreadCount > 0 { lines.append("\(PlainText.count(report.unreadCount, "file")) not read.") }
      lines.append("The same command goes on from here.")
    }
    return lines
  }
}

/// `scan --json`; the keys are a promise.
private struct ScanDocument: Encodable {
  let schema = 1
  let found, new, changed, unchanged, moved, missing, problems, decoded_files: Int
  /// Of an interrupted scan: those that it was to read and did not.
  let unread_files: Int
  let audio_seconds, elapsed_seconds: Double
  let interrupted: Bool
  let roots: [String]

  init(_ report: ScanReport) {
    let summary = report.summary
    found = summary.found
    new = summary.new
    changed = summary.changed
    unchanged = summary.unchanged
    moved = summary.moved
    missing = summary.missing
    problems = summary.problems
    decoded_files = summary.decodedFiles
    unread_files = report.unreadCount
    audio_seconds = summary.audioInSeconds
    elapsed_seconds = summary.elapsedInSeconds
    interrupted = summary.isInterrupted
    roots = report.roots.map(\.displayString)
  }
}
