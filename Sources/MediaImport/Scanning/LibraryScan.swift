internal import Glibc
package import Logging
internal import MediaModel
package import MediaStore

/// One scan of a library: walks its folders, reads what is new or changed, and stores what it finds.
///
/// The thread that calls ``run()`` does everything but decoding: it walks, plans, talks to the workers and is the only
/// writer. Work is committed in batches, so an end at any moment leaves a consistent library and the next scan goes on.
package final class LibraryScan {
  let store: MediaStore
  let options: ScanOptions
  let stop: StopSignal
  let log: ReadingLog
  let onProgress: (ScanProgress) -> Void
  let startedAt = monotonicSeconds()
  var progress = ScanProgress()
  var report = ScanReport()
  /// File rows whose sound turned up at another path while reading: they did not vanish.
  var foundAgain: Set<Int64> = []

  package init(
    store: MediaStore, options: ScanOptions, stop: StopSignal = .never, log: Logger = .silent,
    onProgress: @escaping (ScanProgress) -> Void = { _ in }
  ) {
    self.store = store
    self.options = options
    self.stop = stop
    self.log = ReadingLog(logger: log)
    self.onProgress = onProgress
  }

  /// Does the whole scan; never throws because of a file.
  package func run() throws(ScanError) -> ScanReport {
    // A mistyped folder is no scan, and leaves no trace of one.
    try requireFolders()
    // Released at the end of this function, and by the kernel if the process dies.
    let lock = options.isDryRun ? nil : try storing { () throws(StoreError) in try store.beginScan() }
    defer { lock?.release() }

    let scopes = try resolveScopes()
    var visits: [RootVisit] = []
    for scope in scopes where stop.number == nil {
      guard let visit = try visit(scope) else { continue }
      try noteVolume(of: visit)
      visits.append(visit)
    }
    let walkWasStopped = stop.number != nil
    let plan = ScanPlan(roots: visits.map(\.comparison), isDeep: options.isDeep)
    report.summary.found = plan.foundCount
    let newCount = plan.candidates.count { $0.known == nil }
    let changedCount = plan.candidates.count(where: \.isChanged)
    let retriedCount = plan.candidates.count - newCount - changedCount
    report.summary.unchanged = plan.unchangedCount + plan.restated.count + retriedCount
    report.summary.moved = plan.moves.count
    report.summary.problems = plan.keptProblemCount
    report.summary.new = newCount
    report.summary.changed = changedCount

    report.unreadCount = walkWasStopped ? plan.candidates.count : 0
    if !walkWasStopped && !options.isDryRun {
      try storeWithoutReading(plan, visits)
      try ScanReading(scan: self, plan: plan, visits: visits).run()
    }
    if stop.number == nil {
      try markMissing(plan, visits)
      for visit in visits where stop.number == nil {
        try renumberDevices(of: visit)
        try renewVolume(of: visit)
      }
    }
    try finish(lock)
    return report
  }

  private func storeWithoutReading(_ plan: ScanPlan, _ visits: [RootVisit]) throws(ScanError) {
    let roots = Dictionary(visits.map { ($0.root.id, $0.root.path) }, uniquingKeysWith: { first, _ in first })
    for move in plan.moves {
      log.decided(roots[move.rootID]?.appending(move.path) ?? move.path, .find) {
        "was \(move.known.path.displayString), by its inode, size and time; not read"
      }
    }
    report.summary.moved = try storeInBatches(
      plan.moveGroups.map { group in
        group.map { .moved(fileID: $0.known.id, rootID: $0.rootID, path: $0.path, $0.status) }
      })
    _ = try storeInBatches(plan.restated.map { [.restated(fileID: $0.known.id, $0.status)] })
  }

  private func finish(_ lock: RunLock<ScanRun>?) throws(ScanError) {
    report.roots.sort()
    report.stoppedBySignal = stop.number
    report.summary.isInterrupted = stop.number != nil
    report.summary.elapsedInSeconds = monotonicSeconds() - startedAt
    if let lock { try storing { () throws(StoreError) in try store.finishScan(report.summary, of: lock) } }
  }
}
