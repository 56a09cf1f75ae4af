internal import ArgumentParser
internal import Base
internal import DecodingService
internal import Foundation
internal import LibraryQueries
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import Synchronization

/// Writes a file for each track that a query finds, several at once.
///
/// An error of one track does not stop the others; errors are reported at the end, in the order of the query. If
/// nothing can be written any more, the remaining tracks are not tried.
struct BatchRun: Sendable {
  let folder: BytePath
  /// The extension of the files, without the dot.
  let ending: String
  let batch: BatchOptions
  let output: OutputOptions
  /// The library, whose files must not be replaced.
  let library: LibraryOptions
  /// Whether tracks that could not be decoded are left out.
  var needsDecodedAudio = true
  /// Whether a file is written for each part of the tracks, instead of each track.
  var writesParts = false
  /// Whether files that exist are replaced; otherwise one of them is an error before anything is written.
  var replaces = true

  private struct State {
    var next = 0
    var doneCount = 0
    var replacedCount = 0
    var undecodedCount = 0
    var failures: [(index: Int, message: String)] = []
    var isStopped = false
    var progress = ProgressLine()
  }

  /// - Throws: `ExitCode(1)` at the end if a track failed.
  func callAsFunction(
    over query: Query, in store: MediaStore, _ content: @Sendable (BatchPlan.Item) throws -> [UInt8]
  ) throws {
    try run(plan(query, store)) { item, output, inputs in try output.write(try content(item), protecting: inputs) }
  }

  /// The same for files that are written in pieces; a file is put in its place when `body` returns.
  func writing(
    over query: Query, in store: MediaStore, _ body: @Sendable (BatchPlan.Item, PendingOutput) throws -> Void
  ) throws {
    try run(plan(query, store)) { item, output, inputs in
      let pending = try output.begin(protecting: inputs)
      try body(item, pending)
      try pending.commit()
    }
  }

  /// Prints which file each track would become, and writes nothing.
  func preview(over query: Query, in store: MediaStore) throws {
    let plan = try plan(query, store)
    for item in plan.items {
      try OutputPreview.write(item.path, as: item.output, replaces: replaces)
    }
    tellOfOthers(plan, undecodedCount: plan.undecodedCount)
  }

  private func plan(_ query: Query, _ store: MediaStore) throws -> BatchPlan {
    try BatchPlan(
      of: query, in: store, template: batch.template, folder: folder, ending: ending,
      needsDecodedAudio: needsDecodedAudio, listsParts: writesParts)
  }

  private func run(
    _ plan: BatchPlan, _ write: @Sendable (BatchPlan.Item, OutputFile, InputFiles) throws -> Void
  ) throws {
    let outputs = plan.items.map { OutputFile($0.output, replaces: replaces) }
    let isThere = outputs.map(\.exists)
    let replaced = zip(plan.items, isThere).filter(\.1).map(\.0.output)
    let inputs = InputFiles(replaced.isEmpty ? [] : try plan.inputs + library.protectedFiles(among: replaced))
    if !replaces {
      for index in isThere.indices where isThere[index] { _ = try outputs[index].begin(protecting: inputs) }
    }
    if !plan.items.isEmpty { try OutputFolder.make(folder) }
    let state = Mutex(State())
    let workerCount = ThreadSupply.canStartThread ? max(1, min(batch.jobCount, plan.items.count)) : 1
    DispatchQueue.concurrentPerform(iterations: workerCount) { _ in
      while let index = state.withLock({ Self.next(&$0, of: plan.items.count) }) {
        let item = plan.items[index]
        let result = Result {
          try OutputFolder.makeParents(of: item.output, below: folder)
          try write(item, outputs[index], inputs)
        }
        state.withLock { state in
          state.doneCount += 1
          switch result {
          case .success: if isThere[index] { state.replacedCount += 1 }
          case .failure(let error): Self.note(error, index, item, &state)
          }
          if output.showsProgress {
            let text =
              "\(state.doneCount)/\(plan.items.count) files · "
              + TerminalText.escaped(item.path.lastComponent.displayString)
            state.progress.show { DisplayWidth.truncated(text, toWidth: max($0, 0)) }
          }
        }
      }
    }
    try state.withLock { try report(&$0, plan) }
  }

  private static func next(_ state: inout State, of count: Int) -> Int? {
    guard !state.isStopped, state.next < count else { return nil }
    defer { state.next += 1 }
    return state.next
  }

  private static func note(_ error: any Error, _ index: Int, _ item: BatchPlan.Item, _ state: inout State) {
    switch error {
    case RenderingError.noRecording: state.undecodedCount += 1
    default:
      if let failure = error as? OutputError, failure.concernsWholeFolder { state.isStopped = true }
      let text = ErrorAdvice.text(of: error)
      state.failures.append((index, namesFile(error) ? text : "\(item.path.displayString): \(text)"))
    }
  }

  /// Whether the text of an error begins with the path of the file.
  private static func namesFile(_ error: any Error) -> Bool {
    switch error {
    case let error as RenderingError: error.namesFile
    case SegmentReadingError.file, SegmentReadingError.changed, OutputError.wouldReplaceInput, OutputError.exists,
      OutputError.writing:
      true
    default: false
    }
  }

  private func report(_ state: inout State, _ plan: BatchPlan) throws {
    state.progress.clear()
    let writtenCount = state.doneCount - state.undecodedCount - state.failures.count
    if output.showsProgress, writtenCount > 0 {
      StandardError.line(
        "\(NumberText.count(writtenCount, "file")) written to \(TerminalText.escaped(folder.displayString))"
          + (state.replacedCount > 0 ? ", \(state.replacedCount) of them replaced" : ""))
    }
    for failure in state.failures.sorted(by: { $0.index < $1.index }) {
      StandardError.line(TerminalText.escaped(failure.message))
    }
    let leftCount = plan.items.count - state.doneCount
    if leftCount > 0 { StandardError.line("\(NumberText.count(leftCount, "file")) not tried") }
    tellOfOthers(plan, undecodedCount: plan.undecodedCount + state.undecodedCount)
    if !state.failures.isEmpty { throw ExitCode(1) }
  }

  /// Says which files that were found are not among those that are written.
  private func tellOfOthers(_ plan: BatchPlan, undecodedCount: Int) {
    if undecodedCount > 0 {
      let noun = NumberText.count(undecodedCount, "file")
      StandardError.line("\(noun) without decoded audio; `deadwax problems` shows why")
    }
    if plan.copyCount > 0, !output.quiet {
      let noun = NumberText.count(plan.copyCount, "file")
      StandardError.line("\(noun) left out: the same recording as an earlier file")
    }
    if plan.inputs.isEmpty, !output.quiet { StandardError.line("nothing found, nothing written") }
  }
}

/// The files to write: one for each recording, with safe and distinct names.
struct BatchPlan: Sendable {
  struct Item: Sendable {
    let recordingID: Int64
    /// The number of the part; nil for the whole track.
    let part: Int?
    /// The audio file, for messages.
    let path: BytePath
    let output: BytePath
  }

  private(set) var items: [Item] = []
  /// Files that could not be decoded.
  private(set) var undecodedCount = 0
  /// Files with the recording of an earlier file, which is written for both.
  private(set) var copyCount = 0
  /// All files that were found.
  private(set) var inputs: [BytePath] = []

  /// - Parameter needsDecodedAudio: whether files that could not be decoded are left out.
  init(
    of query: Query, in store: MediaStore, template: FileNameTemplate, folder: BytePath, ending: String,
    needsDecodedAudio: Bool = true, listsParts: Bool = false
  ) throws {
    let vocabulary = listsParts ? store.partVocabulary : store.vocabulary
    let words = try TemplateValues(template.template, option: "name", vocabulary: vocabulary)
    // Without parts, the last of the first fields says nothing.
    let fields =
      [.id, QueryField("path", .path), QueryField("duration", .duration), QueryField("track", .integer)]
      + words.fields
    var names = UniqueFileNames(ending: ending)
    var seen: Set<[Int64]> = []
    try store.forEachRow(of: query, fields: fields, listsParts: listsParts) { values in
      guard case .path(let path) = values[1] else { return }
      inputs.append(path)
      guard case .integer(let id) = values[0], !needsDecodedAudio || values[2] != .none else {
        undecodedCount += 1
        return
      }
      var part: Int?
      if listsParts, case .integer(let number) = values[3] { part = Int(number) }
      guard seen.insert([id, Int64(part ?? 0)]).inserted else {
        copyCount += 1
        return
      }
      let name = names.next(for: template.names(values: words.words(values[4...], path: path)))
      items.append(Item(recordingID: id, part: part, path: path, output: folder.appending(BytePath(name))))
    }
  }
}

/// Options of commands that write a file for each of many tracks.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Template for file names in the output folder: fields of `ls` in braces, {stem} for the name of the audio file, \
      {disc:02} for two digits, and slashes for subfolders: '{albumartist}/{album}/{track} {title}' (default: \
      '{artist} - {title}'). A missing title becomes the name of the audio file, a missing album artist the artist, \
      a missing track number 00, and anything else Unknown. Names are made safe for all file systems; a duplicate \
      name gets ' (2)' appended.
      """,
      valueName: "template"))
  var name: String?

  @Option(
    name: .letter("j"),
    help: ArgumentHelp("Number of tracks to process at once (default: one for each core).", valueName: "n"))
  var jobs: Int?

  func validate() throws {
    try ValidationError.require("jobs", jobs, in: 1...1024)
    do throws(TemplateError) {
      _ = try template
    } catch {
      throw ValidationError("--name: \(error)")
    }
  }

  /// Refuses these options if one file is written.
  func requireFolder(_ folder: BytePath?) throws {
    guard folder == nil else { return }
    if name != nil { throw ValidationError("--name needs a folder: name one with -o, with / at the end") }
    if jobs != nil { throw ValidationError("-j needs a folder: name one with -o, with / at the end") }
  }

  var template: FileNameTemplate { get throws(TemplateError) { try FileNameTemplate(name ?? "{artist} - {title}") } }

  var jobCount: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}
