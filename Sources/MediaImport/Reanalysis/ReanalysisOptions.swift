package import MediaModel

/// What a reanalysis is asked to do.
package struct ReanalysisOptions: Sendable {
  package var workers: WorkerPool.Configuration
  /// Which products are made: those whose state is one of these.
  package var reasons: Set<RedoReason>
  package var kinds: Set<ProductKind> = Set(ProductKind.allCases)
  /// Which recordings; those of no condition are all.
  package var query: Query
  /// The query as it was typed: what a forced run that was stopped is known by.
  package var queryText = ""
  /// Forgets what a forced run that was stopped has done.
  package var restarts = false

  package init(workers: WorkerPool.Configuration, reasons: Set<RedoReason>, query: Query) {
    self.workers = workers
    self.reasons = reasons
    self.query = query
  }

  var isForced: Bool { reasons.contains(.forced) }
}

extension Set<RedoReason> {
  /// There, but not as this version of the program makes it.
  package static var stale: Set { [.olderVersion, .newerVersion, .otherParameters] }
}
