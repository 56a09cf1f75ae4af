internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryScanning
internal import LibraryTracks
internal import MediaStore
internal import QueryLanguage
internal import TagWriting

/// The files of a command that writes them: never all of them by accident.
struct WrittenFilesArgument: ParsableArguments {
  @Flag(help: "All files of the library.")
  var all = false

  @Argument(
    help: ArgumentHelp("The files: ids of tracks, paths, or a query.", valueName: "query"),
    completion: Completions.query)
  var words: [String] = []

  func validate() throws {
    let hasWords = words.contains { !$0.isEmpty }
    if all, hasWords { throw ValidationError("--all takes no query") }
    if !all, !hasWords { throw ValidationError("name the files with ids, paths or a query, or use --all") }
  }
}

/// Whether and how a command writes files.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Write the files; without it, changes are only listed.")
  var yes = false

  @Flag(help: "Keep modification times; backups may then miss the files.")
  var keepMtime = false

  @Flag(help: "Write files that have hard links; their other names keep the old file.")
  var breakLinks = false

  @OptionGroup var jobs: WritingJobs

  @Flag(help: "Exit with status 3 if a file, or a field of one, is not written (default: 1 if none is written).")
  var strict = false

  @Flag(help: "Print one JSON document.")
  var json = false

  var options: WriteOptions {
    WriteOptions(keepsModificationTime: keepMtime, breaksLinks: breakLinks, jobCount: jobs.jobs)
  }
}

/// How many files are written at once.
struct WritingJobs: ParsableArguments {
  @Option(name: .letter("j"), help: "Number of files to write at once (default: one per processor).")
  var jobs: Int?

  func validate() throws { try ValidationError.require("jobs", jobs, in: 1...256) }
}

/// A command that lists what would change in files, and writes them with `--yes`.
struct WritingCommand {
  let library: LibraryOptions
  let output: OutputOptions
  let files: WrittenFilesArgument
  let options: WritingOptions
  /// What is written, such as `tags`.
  let noun: String
  /// What the change is called, before the number of files.
  let verb: String
  /// What is said if nothing changes.
  let nothing: String

  func run(_ wanted: WantedEdits) throws {
    let store = try library.open(options.yes ? .readWrite : .readOnly)
    defer { try? store.close() }
    let query = try CorrectionOptions.query(files.words, in: store)
    let found = try output.showing("looking for files") { try store.fileChanges.files(of: query) }
    guard !found.isEmpty || files.all else { throw TrackError.nothing(named: files.words) }
    let edits = try wanted.edits(for: found, of: query, in: store)
    let stop = try StopSignal.catchingSignals()
    var list = WriteList(isJSON: options.json, isQuiet: output.quiet)
    var change: Int64?
    if options.yes {
      let writer = try TagWriter(store, options.options)
      change = try writer.write(
        edits, of: found, summary: { "\(verb) \(NumberText.count($0, "file"))" }, goesOn: { stop.number == nil },
        each: { try list.add($0) })
    } else {
      try TagWriter.preview(
        edits, of: found, in: store, options.options, goesOn: { stop.number == nil }, each: { try list.add($0) })
    }
    try finish(list, change: change, undoByteCount: try store.fileChanges.undoByteCount())
    if let signal = stop.number { throw ExitCode(128 + signal) }
    if options.strict, list.refusedCount + list.unwrittenCount > 0 { throw ExitCode(ExitStatus.problemsUnderStrict) }
    if options.yes, list.writtenCount == 0, list.failedCount > 0 { throw ExitCode(1) }
  }

  private func finish(_ list: WriteList, change: Int64?, undoByteCount: Int64) throws {
    if options.json {
      let members: [JSONValue.Member] = [
        .init("done", .bool(options.yes)), .init("change", .integer(change)),
        .init("undo_bytes", .integer(undoByteCount)),
      ]
      return try StandardOutput.line(list.document(after: members).prettyText)
    }
    guard !output.quiet else { return }
    let count = options.yes ? list.writtenCount : list.changedCount
    if count == 0, list.refusedCount == 0 { return StandardError.line(nothing) }
    var text = "\(options.yes ? "wrote" : "would write") \(noun) of \(NumberText.count(count, "file"))"
    if list.refusedCount > 0 { text += "; \(NumberText.count(list.refusedCount, "file")) not" }
    if list.unwrittenCount > 0 {
      text += "; \(NumberText.count(list.unwrittenCount, "field")) of them only in the library"
    }
    if count > 0 { text += options.yes ? "; `deadwax tags undo` reverts it" : "; add --yes to do it" }
    StandardError.line(text)
    if options.yes, undoByteCount > Self.manyUndoBytes {
      StandardError.line(
        "the undo data takes \(NumberText.size(undoByteCount)); `deadwax tags undo --forget CHANGE` discards older data"
      )
    }
  }

  private static let manyUndoBytes: Int64 = 1 << 30
}

/// Lists files with what changes in them, or why they stay as they are.
struct WriteList {
  let isJSON: Bool
  let isQuiet: Bool
  private(set) var changedCount = 0
  private(set) var writtenCount = 0
  private(set) var refusedCount = 0
  /// Those among them that have a place for what they were to get.
  private(set) var failedCount = 0
  /// Fields of files that are written, and are not.
  private(set) var unwrittenCount = 0
  private var items: [JSONValue] = []

  init(isJSON: Bool, isQuiet: Bool) { (self.isJSON, self.isQuiet) = (isJSON, isQuiet) }

  mutating func add(_ report: WriteReport) throws {
    if report.isWritten { writtenCount += 1 }
    if report.refusal == nil { changedCount += 1 } else { refusedCount += 1 }
    if let refusal = report.refusal, refusal.code != "value" { failedCount += 1 }
    if report.refusal == nil { unwrittenCount += report.unwritten.count }
    if isJSON {
      items.append(json(report))
    } else if let refusal = report.refusal {
      StandardError.line(
        TerminalText.escaped("\(report.path.displayString): not written: \(text(of: refusal)) [\(refusal.code)]"))
    } else {
      if !isQuiet {
        try StandardOutput.line(TerminalText.escaped(report.path.displayString))
        for change in report.changes {
          try StandardOutput.line(TerminalText.escaped("  \(change.field): \(text(change.old)) → \(text(change.new))"))
        }
      }
      for field in report.unwritten {
        StandardError.line(
          TerminalText.escaped(
            "\(report.path.displayString): \(field.field) stays in the library only: \(field.refusal.reason) "
              + "[\(field.refusal.code)]"))
      }
    }
  }

  private func text(of refusal: WriteRefusal) -> String {
    refusal.code == "hard-links" ? refusal.reason + "; --break-links writes it" : refusal.reason
  }

  private func text(_ values: [String]) -> String {
    values.isEmpty ? "nothing" : values.joined(separator: "; ").cut(toByteCount: 120)
  }

  private func json(_ report: WriteReport) -> JSONValue {
    .object(
      JSONValue.path(report.path) + [
        .init("written", .bool(report.isWritten)),
        .init(
          "changes",
          .array(
            report.changes.map { change in
              .object([
                "field": .string(change.field), "old": .array(change.old.map { .string($0) }),
                "new": .array(change.new.map { .string($0) }),
              ])
            })),
        .init(
          "unwritten",
          .array(
            report.unwritten.map { unwritten in
              .object([
                "field": .string(unwritten.field), "code": .string(unwritten.refusal.code),
                "reason": .string(unwritten.refusal.reason),
              ])
            })),
        .init(
          "refusal",
          report.refusal.map { .object(["code": .string($0.code), "reason": .string($0.reason)]) } ?? .null),
      ])
  }

  func document(after members: [JSONValue.Member]) -> JSONValue {
    .object([.init("schema", .integer(1))] + members + [.init("files", .array(items))])
  }
}
