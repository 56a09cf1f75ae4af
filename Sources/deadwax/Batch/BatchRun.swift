internal import ArgumentParser
internal import Foundation
internal import MediaExport
internal import MediaImport
internal import MediaModel
internal import MediaStore
internal import Synchronization

/// Writes a file for each track that a query finds, several at once.
///
/// What goes wrong with one track is told in the end, in the query's order, and keeps no other from being written; where
/// nothing can be written any more, the rest is left.
struct BatchRun: Sendable {
  let folder: BytePath
  /// Of the files' names, without the dot.
  let ending: String
  let batch: BatchOptions
  let output: OutputOptions
  /// Whose music is not written onto.
  let library: LibraryOptions
  /// Whether tracks that could not be decoded are left out.
  var needsSound = true

  private struct State {
    var next = 0
    var doneCount = 0
    var replacedCount = 0
    var withoutSoundCount = 0
    var failures: [(index: Int, message: String)] = []
    var isStopped = false
    var progress = ProgressLine()
  }

  /// - Throws: `ExitCode(1)` after every failure was told.
  func callAsFunction(
    over query: Query, in store: MediaStore, _ content: @Sendable (BatchPlan.Item) throws -> [UInt8]
  ) throws {
    try run(plan(query, store)) { item, output, inputs in try output.write(try content(item), protecting: inputs) }
  }

  /// The same for files that are written in pieces; what the body does not throw in is put in its place.
  func writing(
    over query: Query, in store: MediaStore, _ body: @Sendable (BatchPlan.Item, PendingOutput) throws -> Void
  ) throws {
    try run(plan(query, store)) { item, output, inputs in
      let pending = try output.begin(protecting: inputs)
      try body(item, pending)
      try pending.commit()
    }
  }

  private func plan(_ query: Query, _ store: MediaStore) throws -> BatchPlan {
    try BatchPlan(
      of: query, in: store, template: batch.template, folder: folder, ending: ending, needsSound: needsSound)
  }

  private func run(
    _ plan: BatchPlan, _ write: @Sendable (BatchPlan.Item, OutputFile, InputFiles) throws -> Void
  ) throws {
    try OutputFolder.make(folder)
    let outputs = plan.items.map { OutputFile($0.output) }
    let isThere = outputs.map(\.exists)
    let replaced = zip(plan.items, isThere).filter(\.1).map(\.0.output)
    let inputs = InputFiles(replaced.isEmpty ? [] : try plan.inputs + library.protectedFiles(among: replaced))
    let state = Mutex(State())
    let workerCount = ThreadSupply.canStartThread ? max(1, min(batch.jobCount, plan.items.count)) : 1
    DispatchQueue.concurrentPerform(iterations: workerCount) { _ in
      while let index = state.withLock({ Self.next(&$0, of: plan.items.count) }) {
        let item = plan.items[index]
        let result = Result { try write(item, outputs[index], inputs) }
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
    case TrackFailure.noSound: state.withoutSoundCount += 1
    default:
      if let failure = error as? ExportError, failure.concernsWholeFolder { state.isStopped = true }
      state.failures.append((index, namesFile(error) ? "\(error)" : "\(item.path.displayString): \(error)"))
    }
  }

  /// Whether an error's own text begins with the file it is about.
  private static func namesFile(_ error: any Error) -> Bool {
    switch error {
    case TrackFailure.noSound(.some), TrackFailure.notStored, TrackFailure.nothingInRange(.some),
      SoundReadingError.file,
      ExportError.wouldReplaceInput, ExportError.writing:
      true
    default: false
    }
  }

  private func report(_ state: inout State, _ plan: BatchPlan) throws {
    state.progress.clear()
    let writtenCount = state.doneCount - state.withoutSoundCount - state.failures.count
    if output.showsProgress, writtenCount > 0 {
      StandardError.line(
        "\(NumberText.count(writtenCount, "file")) written to \(TerminalText.escaped(folder.displayString))"
          + (state.replacedCount > 0 ? ", \(state.replacedCount) of them over what was there" : ""))
    }
    for failure in state.failures.sorted(by: { $0.index < $1.index }) {
      StandardError.line(TerminalText.escaped(failure.message))
    }
    let leftCount = plan.items.count - state.doneCount
    if leftCount > 0 { StandardError.line("\(NumberText.count(leftCount, "file")) not tried") }
    let silentCount = plan.silentCount + state.withoutSoundCount
    if silentCount > 0 {
      StandardError.line("\(NumberText.count(silentCount, "file")) without sound; `deadwax problems` says why")
    }
    if plan.copyCount > 0, !output.quiet {
      let noun = NumberText.count(plan.copyCount, "file")
      StandardError.line("\(noun) left out: the same sound as one that was found before")
    }
    if plan.inputs.isEmpty { StandardError.line("nothing was found, and nothing written") }
    if !state.failures.isEmpty { throw ExitCode(1) }
  }
}
