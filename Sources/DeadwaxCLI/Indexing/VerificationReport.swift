internal import Base
internal import LibraryTracks
internal import MediaImport
internal import MediaModel

/// The result of `reanalyze --verify`.
struct VerificationReport {
  /// What the query finds.
  let files: [PresentFile]
  /// nil if nothing was read.
  var scan: ScanReport?

  init(files: [PresentFile]) { self.files = files }

  func write(_ output: OutputOptions, isDryRun: Bool, json: Bool) throws {
    for warning in scan?.warnings ?? [] {
      StandardError.line(TerminalText.escaped("\(warning.path.displayString): \(warning.reason)"))
    }
    for stop in scan?.safetyStops ?? [] {
      StandardError.line(TerminalText.escaped("\(stop.root.displayString): \(ErrorAdvice.text(of: stop.reason))"))
    }
    IdentityText.write(scan?.identities ?? [], output)
    if json {
      try StandardOutput.line(document(isDryRun: isDryRun).text)
    } else if !output.quiet {
      for line in isDryRun ? [plan] : lines { try StandardOutput.line(line) }
    }
  }

  private var byteCount: Int64 { files.reduce(0) { $0 + $1.byteCount } }

  private var plan: String { "\(NumberText.count(files.count, "file")) to verify, \(NumberText.size(byteCount))" }

  private var lines: [String] {
    guard let scan else { return ["no files to verify"] }
    let summary = scan.summary
    var text = "\(scan.verifiedCount) of \(NumberText.count(files.count, "file")) verified"
    if summary.problems > 0 { text += ", \(summary.problems) with problems" }
    var lines = [(summary.isInterrupted ? "Interrupted: " : "") + text]
    if summary.decodedFiles > 0 {
      lines.append(
        NumberText.decoding(
          summary.decodedFiles, audioInSeconds: summary.audioInSeconds, elapsedInSeconds: summary.elapsedInSeconds))
    }
    if summary.problems > 0 { lines.append("`deadwax problems` lists them with the reasons.") }
    if summary.isInterrupted { lines.append("\(NumberText.count(scan.unreadCount, "file")) not read.") }
    return lines
  }

  /// Programs rely on the keys.
  private func document(isDryRun: Bool) -> JSONValue {
    .object([
      "schema": .integer(1), "dry_run": .bool(isDryRun), "files": .integer(files.count), "bytes": .integer(byteCount),
      "verified_files": .integer(scan?.verifiedCount ?? 0), "problems": .integer(scan?.summary.problems ?? 0),
      // Folders and files that could not be read; standard error names them.
      "warnings": .integer((scan?.warnings.count ?? 0) + (scan?.safetyStops.count ?? 0)),
      "decoded_files": .integer(scan?.summary.decodedFiles ?? 0), "unread_files": .integer(scan?.unreadCount ?? 0),
      "audio_seconds": .number(scan?.summary.audioInSeconds ?? 0),
      "elapsed_seconds": .number(scan?.summary.elapsedInSeconds ?? 0),
      "interrupted": .bool(scan?.summary.isInterrupted ?? false),
      "identities": IdentityText.json(scan?.identities ?? []),
    ])
  }
}
