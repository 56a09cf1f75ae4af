internal import ArgumentParser
internal import Base
internal import LibraryScanning
internal import MediaStore
internal import TagWriting

/// `deadwax tags undo`: makes files what they were before they were written.
struct TagsUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Restore written files byte for byte.",
    discussion: """
      Undoes the latest change, or the one with the given number from --list; repeat it to go further back. A file \
      that has been changed since then is left alone. Exits with status 1 if there is nothing to undo, or if no file \
      of the change can be restored.

      Examples: deadwax tags undo --list
                deadwax tags undo
                deadwax tags undo 3
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("The number of the change (default: the latest).", valueName: "change"))
  var change: Int64?

  @Flag(help: "List the changes, latest first, without undoing anything.")
  var list = false

  @Option(
    help: ArgumentHelp("Discard the undo data of this change and all before it; the files stay.", valueName: "change"))
  var forget: Int64?

  @Flag(help: "Keep modification times.")
  var keepMtime = false

  @Flag(help: "Write files that have hard links; their other names keep the old file.")
  var breakLinks = false

  @OptionGroup var jobs: WritingJobs

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard [list, forget != nil, change != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("--list, --forget and the number of a change exclude each other")
    }
  }

  func run() throws {
    if list { return try show(try library.reading { try $0.fileChanges.all() }) }
    let store = try library.open(.readWrite)
    defer { try? store.close() }
    if let forget {
      let count = try store.fileChanges.forget(through: forget)
      return try output.tell("forgot \(NumberText.count(count, "change"))")
    }
    let chosen = try chosenChange(in: store)
    let stop = try StopSignal.catchingSignals()
    var list = WriteList(isJSON: json, isQuiet: true)
    let writer = try TagWriter(
      store, WriteOptions(keepsModificationTime: keepMtime, breaksLinks: breakLinks, jobCount: jobs.jobs))
    let count = try writer.undo(chosen.id, goesOn: { stop.number == nil }) { try list.add($0) }
    if json {
      try StandardOutput.line(
        list.document(after: [.init("change", .integer(chosen.id)), .init("files_undone", .integer(count))]).prettyText)
    } else if count > 0 {
      try output.tell("undone: \(chosen.summary): \(NumberText.count(count, "file")) as before")
    }
    if let signal = stop.number { throw ExitCode(128 + signal) }
    if count == 0 { throw ExitCode(1) }
  }

  private func chosenChange(in store: MediaStore) throws -> FileChangeSummary {
    guard let change else {
      guard let latest = try store.fileChanges.latest() else { throw StoreError.nothingToUndo }
      return latest
    }
    guard let known = try store.fileChanges.all(limit: .max).first(where: { $0.id == change }) else {
      throw ValidationError("\(change): no such change; `deadwax tags undo --list` lists them")
    }
    guard known.doneCount > 0 else { throw StoreError.nothingToUndo }
    return known
  }

  private func show(_ changes: [FileChangeSummary]) throws {
    if json {
      let items = changes.map { change in
        JSONValue.object([
          "id": .integer(change.id), "summary": .string(change.summary),
          "made_at": .string(Timestamp(secondsSince1970: change.madeAt).description),
          "files": .integer(change.fileCount), "files_undoable": .integer(change.doneCount),
          "files_interrupted": .integer(change.openCount), "files_changed_since": .integer(change.foreignCount),
        ])
      }
      return try StandardOutput.line(JSONValue.object(["schema": .integer(1), "changes": .array(items)]).prettyText)
    }
    var table = TextTable([
      .init(title: "CHANGE", isAlignedRight: true), .init(title: "TIME", canShrink: false), .init(title: ""),
      .init(title: "WHAT"),
    ])
    for change in changes {
      try table.add([String(change.id), NumberText.moment(change.madeAt), Self.state(of: change), change.summary])
    }
    try table.finish()
    if changes.isEmpty { output.tellNothing("no files were written yet") }
  }

  /// Empty if all files are as the change wrote them.
  private static func state(of change: FileChangeSummary) -> String {
    if change.doneCount == change.fileCount { return "" }
    let parts = [
      (change.doneCount, "left"), (change.openCount, "interrupted"), (change.foreignCount, "changed since"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? "undone" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
