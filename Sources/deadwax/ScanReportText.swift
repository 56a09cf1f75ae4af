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
        TerminalText.escaped("\(warning.path.displayString): \(warning.reason); what is known of it is kept"))
    }
    if output.verbose { writeRemarks() }
    for stop in report.safetyStops {
      StandardError.line(TerminalText.escaped("\(stop.root.displayString): \(stop.reason)"))
    }
    if json {
      try StandardOutput.line(report.document.text)
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
        "\(NumberText.count(report.skippedLinkCount, "symbolic link")) skipped; --follow-links follows them")
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
    if summary.problems > 0 { lines.append("`deadwax problems` says which files and why.") }
    if summary.isInterrupted {
      if report.unreadCount > 0 { lines.append("\(NumberText.count(report.unreadCount, "file")) not read.") }
      lines.append("The same command goes on from here.")
    }
    return lines
  }
}

extension ScanReport {
  /// `scan --json`; the keys are a promise.
  fileprivate var document: JSONValue {
    .object([
      "schema": .integer(1), "found": .integer(summary.found), "new": .integer(summary.new),
      "changed": .integer(summary.changed), "unchanged": .integer(summary.unchanged), "moved": .integer(summary.moved),
      "missing": .integer(summary.missing), "problems": .integer(summary.problems),
      // Folders and files that could not be looked at; standard error names them.
      "warnings": .integer(warnings.count),
      "decoded_files": .integer(summary.decodedFiles),
      // Of an interrupted scan: those that it was to read and did not.
      "unread_files": .integer(unreadCount), "audio_seconds": .number(summary.audioInSeconds),
      "elapsed_seconds": .number(summary.elapsedInSeconds), "interrupted": .bool(summary.isInterrupted),
      "roots": .array(roots.map { .string($0.displayString) }),
      // The same with their bytes, where they are not UTF-8.
      "root_paths": .array(roots.map { .object(JSONValue.path($0)) }),
    ])
  }
}
