internal import Base
internal import Foundation
internal import HTTPServing
internal import LibraryScanning
internal import LibraryServing
internal import MediaStore
internal import Synchronization
internal import TagWriting

/// The music files that the page writes: first a preview, then exactly what it showed. One such job at a time, on a thread of its
/// own, so that the server answers meanwhile.
///
/// Nothing else of a server writes music, and nothing that speaks to other programs than the page can reach this.
final class FileWriting: Sendable {
  private struct State {
    /// The latest ones, the newest last; at most one of them runs.
    var jobs: [WritingJob] = []
    /// Whether the one that runs is to end.
    var isStopping = false

    subscript(id: Int64) -> WritingJob? { jobs.first { $0.id == id } }

    mutating func update(_ id: Int64, _ body: (inout WritingJob) -> Void) {
      if let place = jobs.firstIndex(where: { $0.id == id }) { body(&jobs[place]) }
    }
  }

  private static let keptCount = 4

  private let library: LibraryAccess
  /// Whether `serve --may-write-music` was given.
  private let isAllowed: Bool
  private let state = Mutex(State())

  init(_ library: LibraryAccess, isAllowed: Bool) { (self.library, self.isAllowed) = (library, isAllowed) }

  var canWrite: Bool { isAllowed && library.canWrite }

  private func requireAllowed() throws {
    guard isAllowed else {
      throw HTTPProblem(403, "this server writes no music files; `deadwax serve --may-write-music` allows it")
    }
    guard library.canWrite else { throw StoreError.readOnly(library.path) }
  }

  // MARK: - Jobs

  /// Begins a preview.
  func plan(_ request: WritingRequest) throws -> Int64 {
    try requireAllowed()
    let plan = try library.reading { try WritingPlan(request, in: $0) }
    let job = WritingJob(request, plan)
    try begin(job) { [self] in try preview(job.id, request, plan) }
    return job.id
  }

  /// - Throws: ``HTTPProblem`` if there is none, or no longer.
  func job(_ id: Int64) throws -> WritingJob {
    guard let job = state.withLock({ $0[id] }) else {
      throw HTTPProblem(404, "there is no plan \(id); what was written stays")
    }
    return job
  }

  /// Begins to write what a preview has shown, if everything still is as it was then.
  func write(_ id: Int64) throws {
    try requireAllowed()
    let job = try job(id)
    guard job.phase == .ready, let request = job.request, let plan = job.plan else {
      throw HTTPProblem(409, "the plan is \(job.phase.rawValue), not ready")
    }
    let now = try library.reading { try WritingPlan(request, in: $0) }
    guard now == plan else {
      throw HTTPProblem(409, "files, their tags or corrections have changed since the preview; look at a new one")
    }
    // What the preview refused is not written, even if it could be by now.
    let shown = plan.part { job.has($0.path) }
    if let changed = TagWriter.changedFiles(among: shown.files).first {
      let name = changed.path.lastComponent.displayString
      throw HTTPProblem(409, "\(name) has changed since the preview; scan, and look at a new one")
    }
    try begin(job, as: .writing, total: shown.files.count) { [self] in try write(job.id, request, shown) }
  }

  /// Begins to make the files of a change what they were.
  func undo(_ change: Int64) throws -> Int64 {
    try requireAllowed()
    let found = try library.reading { try $0.fileChanges.all(limit: .max).first { $0.id == change } }
    guard let found else { throw HTTPProblem(404, "there is no change \(change)") }
    guard found.doneCount > 0 else { throw HTTPProblem(409, "change \(change) is undone already") }
    let job = WritingJob(undoing: found)
    try begin(job) { [self] in try undo(job.id, change) }
    return job.id
  }

  /// Ends a job that runs, after the files that are being written, or forgets one that does not.
  func end(_ id: Int64) throws {
    try requireAllowed()
    _ = try job(id)
    state.withLock { state in
      if state[id]?.phase.isRunning == true { state.isStopping = true } else { state.jobs.removeAll { $0.id == id } }
    }
  }

  /// Ends what runs, and waits for it a little: the process ends next. What it was writing is settled by the next start.
  func stop(forAtMostSeconds seconds: Double = 1.5) {
    state.withLock { $0.isStopping = true }
    let end = monotonicSeconds() + seconds
    while state.withLock({ $0.jobs.contains(where: \.phase.isRunning) }), monotonicSeconds() < end {
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  // MARK: - Threads

  /// - Parameter phase: that of a job that is there already.
  private func begin(
    _ job: WritingJob, as phase: WritingJob.Phase? = nil, total: Int? = nil,
    _ body: @escaping @Sendable () throws -> Void
  ) throws {
    if (phase ?? job.phase) != .planning {
      // A running scan or another program is reported before anything begins.
      try library.writing { store in
        try store.fileChanges.beginWriting()
        store.fileChanges.endWriting()
      }
    }
    let isFirst = state.withLock { state in
      guard !state.jobs.contains(where: \.phase.isRunning) else { return false }
      state.isStopping = false
      if let phase {
        state.update(job.id) { ($0.phase, $0.doneCount, $0.totalCount) = (phase, 0, total ?? $0.totalCount) }
      } else {
        state.jobs = state.jobs.suffix(Self.keptCount - 1) + [job]
      }
      return true
    }
    guard isFirst else { throw HTTPProblem(409, "files are being looked at or written already") }
    let thread = Thread { [self] in
      do { try body() } catch {
        state.withLock { $0.update(job.id) { ($0.phase, $0.failure) = (.failed, HTTPProblem(error).detail) } }
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func finish(_ id: Int64, as phase: WritingJob.Phase) {
    state.withLock { state in
      let isStopped = state.isStopping
      state.update(id) { job in
        job.phase = isStopped ? .stopped : phase
        if job.phase != .ready { job.plan = nil }
      }
    }
  }

  private func preview(_ id: Int64, _ request: WritingRequest, _ plan: WritingPlan) throws {
    let store = try MediaStore(at: library.path, access: .readOnly)
    defer { try? store.close() }
    let ids = Dictionary(plan.files.map { ($0.path, $0.known.id) }, uniquingKeysWith: { first, _ in first })
    var count = 0
    try TagWriter.preview(
      plan.edits, of: plan.files, in: store, request.options, triesOne: true,
      goesOn: { [self] in
        state.withLock { $0.update(id) { $0.doneCount = count } }
        count += 1
        return !isStopping
      },
      each: { report in state.withLock { $0.update(id) { $0.add(report, fileID: ids[report.path]) } } })
    state.withLock { $0.update(id) { $0.doneCount = $0.totalCount } }
    finish(id, as: .ready)
  }

  private func write(_ id: Int64, _ request: WritingRequest, _ plan: WritingPlan) throws {
    let change = try writing(request.options) { writer in
      try writer.write(
        plan.edits, of: plan.files, summary: request.summary, goesOn: { [self] in !isStopping },
        each: { add($0, to: id) })
    }
    state.withLock { $0.update(id) { $0.change = change } }
    finish(id, as: .done)
  }

  private func undo(_ id: Int64, _ change: Int64) throws {
    _ = try writing(WriteOptions()) { writer in
      try writer.undo(change, goesOn: { [self] in !isStopping }, each: { add($0, to: id) })
    }
    finish(id, as: .done)
  }

  private func add(_ report: WriteReport, to id: Int64) {
    state.withLock { state in
      state.update(id) { job in
        job.doneCount += 1
        job.add(report, fileID: nil)
      }
    }
  }

  private func writing<Value>(_ options: WriteOptions, _ body: (TagWriter) throws -> Value) throws -> Value {
    let store = try MediaStore(at: library.path, access: .readWrite)
    defer { try? store.close() }
    // What an earlier job could not finish would be refused as changed.
    _ = try InterruptedWrites.settle(in: store)
    return try body(TagWriter(store, options))
  }
}
