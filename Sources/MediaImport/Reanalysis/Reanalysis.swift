package import Logging
internal import MediaModel
package import MediaStore

/// Makes products of recordings anew: those that are missing or stale, or all that are asked for.
///
/// Like a scan it is the only writer, works in batches, and may end at any moment: what is missing or stale says itself
/// what is left to do, and a forced run is remembered in the library until it is complete. Nothing but products is
/// written; one that comes out as it was is not even touched.
package final class Reanalysis {
  let store: MediaStore
  let options: ReanalysisOptions
  let stop: StopSignal
  let log: ReadingLog
  let onProgress: (ScanProgress) -> Void

  package init(
    store: MediaStore, options: ReanalysisOptions, stop: StopSignal = .never, log: Logger = .silent,
    onProgress: @escaping (ScanProgress) -> Void = { _ in }
  ) {
    self.store = store
    self.options = options
    self.stop = stop
    self.log = ReadingLog(logger: log)
    self.onProgress = onProgress
  }

  /// What ``run(announcing:)`` would do now; nothing is written.
  package func plan() throws -> ReanalysisPlan {
    try plan(goingOnWith: options.isForced && !options.restarts ? store.forcedRun(task) : nil)
  }

  /// Does it; a file that cannot be read is skipped, with the reason in the report.
  ///
  /// - Parameter announce: Told the plan before anything is read.
  package func run(announcing announce: (ReanalysisPlan) -> Void = { _ in }) throws -> ReanalysisReport {
    let startedAt = monotonicSeconds()
    // Released at the end of this function, and by the kernel if the process dies.
    let lock = try store.beginReanalysis(of: options.kinds)
    defer { lock.release() }
    let forced = options.isForced ? try store.beginForcedRun(task, restarts: options.restarts) : nil
    let plan = try plan(goingOnWith: forced)
    announce(plan)
    var report = ReanalysisReport()
    if !plan.items.isEmpty {
      let reading = try ReanalysisReading(of: plan, forced: forced, in: store, options, stop, log, onProgress)
      try reading.run()
      report = reading.report
    }
    report.plan = plan
    report.stoppedBySignal = stop.number
    report.elapsedInSeconds = monotonicSeconds() - startedAt
    if let forced, stop.number == nil, report.awayCount == 0 { try store.endForcedRun(forced) }
    try store.finishReanalysis(
      decodedFileCount: report.decodedFileCount, audioInSeconds: report.audioInSeconds,
      elapsedInSeconds: report.elapsedInSeconds, of: lock)
    return report
  }

  private func plan(goingOnWith forced: ForcedRun?) throws -> ReanalysisPlan {
    var plan = ReanalysisPlan()
    try store.forEachRecording(
      of: options.query, findingDamageIn: options.reasons.contains(.damaged) ? options.kinds : []
    ) { recording in
      if forced?.doneIDs.contains(recording.id) == true {
        plan.doneCount += 1
      } else {
        plan.add(recording, kinds: options.kinds, reasons: options.reasons)
      }
    }
    if plan.doneCount > 0 { plan.resumedSince = forced?.startedAt }
    plan.estimateInSeconds = try store.pace(making: options.kinds).map { plan.audioInSeconds / $0 }
    return plan
  }

  private var task: ForcedRun.Task {
    let recipes = options.kinds.sorted().map(ProductRecipe.current)
    return ForcedRun.Task(
      recipes: recipes.map { "\($0.kind.rawValue) \($0.version) \($0.parameters)" }.joined(separator: "\n"),
      query: options.queryText)
  }
}
