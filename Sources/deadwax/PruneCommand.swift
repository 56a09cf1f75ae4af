internal import ArgumentParser
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax prune`: forgets what is missing.
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Forget files that are missing, and what was measured of sounds that no other file holds.",
    discussion: """
      Without --yes it only lists what would be forgotten. Without a query it also forgets sounds whose folders were \
      removed from the library. No audio file is touched, and what you decided stays: presets and what they are assigned to, \
      entries of lists, ratings and other attributes. A file that comes back is measured anew and has them again.

      Exits with status 4, having forgotten nothing, while the folder or disk of a missing file is not there.

      \(QueryHelp.short)

      Examples: deadwax prune
                deadwax prune --yes 'path:Downloads'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var query: QueryArgument

  @Flag(help: "Really forget them.")
  var yes = false

  @Flag(help: "Forget them even while their folder or disk is not there.")
  var acceptMissing = false

  @Flag(help: "One JSON document.")
  var json = false

  func run() throws {
    let store = try library.open(yes ? .readWrite : .readOnly)
    defer { try? store.close() }
    let query = try query.query(in: store)
    let (gone, returned) = try output.showing("looking for what is missing") {
      Self.parted(try store.missingFiles(in: query))
    }
    if !acceptMissing { try Self.requireRoots(of: gone, in: store) }
    let isEverything = query.condition == nil
    let report = try output.showing("\(yes ? "forgetting" : "counting") what is missing") {
      guard yes else { return try store.pruneReport(gone, includingOrphans: isEverything) }
      let report = try store.prune(gone, includingOrphans: isEverything)
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
          ? "came back and stays; the next scan finds it, unless a pattern leaves it out"
          : "came back and stay; the next scan finds those that no pattern leaves out"
        StandardError.line("\(NumberText.count(returned.count, "file")) \(verbs)")
      }
    }
  }

  /// Files that are really not there, and those that are again.
  private static func parted(_ files: [MissingFile]) -> (gone: [MissingFile], returned: [MissingFile]) {
    let returned = files.filter { ScanFolders.isPresent($0.path) }
    let ids = Set(returned.map(\.id))
    return (files.filter { !ids.contains($0.id) }, returned)
  }

  private static func requireRoots(of files: [MissingFile], in store: MediaStore) throws {
    let ids = Set(files.map(\.rootID))
    for root in try store.roots() where ids.contains(root.id) {
      let option = "nothing was forgotten; if it is really gone, add --accept-missing"
      guard let volume = try? ScanFolders.volume(of: root.path) else {
        throw PruneStop(description: "\(root.path.displayString): the folder is not there; \(option)")
      }
      guard root.volume == nil || root.volume == volume else {
        throw PruneStop(
          description: "\(root.path.displayString): on a different disk than when it was scanned; \(option)")
      }
    }
  }

  private func text(_ report: PruneReport) -> String {
    let verb = yes ? "forgot" : "would forget"
    let size = NumberText.size(report.byteCount)
    var text = "\(verb) \(NumberText.count(report.fileCount, "file")) and what is known of "
    text += "\(NumberText.count(report.recordingCount, "sound")) (\(size))"
    if report.keptAssignmentCount > 0 {
      text += "; the presets of \(NumberText.count(report.keptAssignmentCount, "sound")) stay"
    }
    if report.keptRecordingCount > 0 {
      text += "; the places in lists, ratings and attributes of "
      text += "\(NumberText.count(report.keptRecordingCount, "sound")) stay"
    }
    return text + (yes || report.fileCount + report.recordingCount == 0 ? "" : "; --yes does it")
  }

  private func document(_ report: PruneReport, _ files: [MissingFile], returnedCount: Int) -> JSONValue {
    .object([
      "schema": .integer(1), "done": .bool(yes), "files": .integer(report.fileCount),
      "recordings": .integer(report.recordingCount), "product_bytes": .integer(report.byteCount),
      "kept_assignments": .integer(report.keptAssignmentCount),
      "kept_recordings": .integer(report.keptRecordingCount), "returned_files": .integer(returnedCount),
      "paths": .array(files.map { .object(JSONValue.path($0.path)) }),
    ])
  }
}

/// Why nothing was deleted.
struct PruneStop: Error, CustomStringConvertible {
  let description: String
}
