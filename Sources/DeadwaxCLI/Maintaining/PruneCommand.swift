internal import ArgumentParser
internal import Base
internal import LibraryScanning
internal import LibraryTracks
internal import MediaImport
internal import MediaStore
internal import QueryLanguage

/// `deadwax prune`: forgets missing files.
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Forget missing files, and analyses that no other file needs.",
    discussion: """
      Without --yes it only lists what would be forgotten. Without a query it also forgets recordings whose folders \
      were removed from the library. Rows for non-audio files, from older versions, are removed, too. Audio files \
      are never changed, and your own data is kept: presets, assignments, list entries, ratings and other \
      attributes. A file that comes back is analysed again and gets them back.

      Exits with status 4 and forgets nothing while the folder or disk of a missing file is absent.

      \(QueryHelp.short)

      Examples: deadwax prune
                deadwax prune --yes 'path:Downloads'
                deadwax prune --excluded
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var query: QueryArgument

  @Flag(help: "Forget the files; without it, they are only listed.")
  var yes = false

  @Flag(help: "Also forget existing files that the last scan excluded (is:excluded).")
  var excluded = false

  @Flag(help: "Forget files even while their folder or disk is missing.")
  var acceptMissing = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let store = try library.open(yes ? .readWrite : .readOnly)
    defer { try? store.close() }
    let query = try query.query(in: store, remarkingTo: output)
    let pruning = try output.showing("looking for missing files") {
      Pruning(try store.missingFiles.all(in: query, includingExcluded: excluded))
    }
    if !acceptMissing { try pruning.requireRoots(try store.roots.all()) }
    let (gone, returned) = (pruning.gone, pruning.returned)
    let isEverything = query.condition == nil
    let report = try output.showing("\(yes ? "forgetting" : "counting") missing files") {
      guard yes else { return try store.missingFiles.pruneReport(gone, includingOrphans: isEverything) }
      let report = try store.missingFiles.prune(gone, includingOrphans: isEverything)
      try store.close()
      return report
    }
    if json {
      try StandardOutput.line(document(report, gone, returnedCount: returned.count).prettyText)
    } else if !output.quiet {
      if !yes { for file in gone { try StandardOutput.line(TerminalText.escaped(file.path.displayString)) } }
      StandardError.line(text(report))
      if !returned.isEmpty {
        let verbs =
          returned.count == 1
          ? "is back and was not forgotten; the next scan finds it, unless a pattern excludes it"
          : "are back and were not forgotten; the next scan finds those that no pattern excludes"
        StandardError.line("\(NumberText.count(returned.count, "file")) \(verbs)")
      }
    }
  }

  private func text(_ report: PruneReport) -> String {
    let verb = yes ? "forgot" : "would forget"
    let size = NumberText.size(report.byteCount)
    var text = "\(verb) \(NumberText.count(report.fileCount, "file")) and the analyses of "
    text += "\(NumberText.count(report.recordingCount, "recording")) (\(size))"
    if report.keptAssignmentCount > 0 {
      text += "; the presets of \(NumberText.count(report.keptAssignmentCount, "recording")) are kept"
    }
    if report.keptRecordingCount > 0 {
      text += "; the list entries, ratings and attributes of "
      text += "\(NumberText.count(report.keptRecordingCount, "recording")) are kept"
    }
    return text + (yes || report.fileCount + report.recordingCount == 0 ? "" : "; add --yes to do it")
  }

  private func document(_ report: PruneReport, _ files: [MissingFile], returnedCount: Int) -> JSONValue {
    .object([
      "schema": .integer(1), "done": .bool(yes), "files": .integer(report.fileCount),
      "recordings": .integer(report.recordingCount), "product_bytes": .integer(report.byteCount),
      "kept_assignments": .integer(report.keptAssignmentCount),
      "kept_recordings": .integer(report.keptRecordingCount), "returned_files": .integer(returnedCount),
      "paths": .array(
        files.map { .object(JSONValue.path($0.path) + [.init("cause", .string($0.cause.rawValue))]) }),
    ])
  }
}
