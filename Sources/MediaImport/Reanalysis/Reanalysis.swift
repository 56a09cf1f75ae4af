package import Base
package import DecodingService
package import LibraryScanning
internal import LibraryTracks
package import Logging
package import MediaModel
package import MediaStore
package import QueryLanguage

/// What a reanalysis is asked to do.
package struct ReanalysisOptions: Sendable {
  package var jobs: FileJobOptions
  /// Products are recomputed for these reasons.
  package var reasons: Set<RedoReason>
  /// Which recordings; all if the query has no condition.
  package var query: Query
  /// The query as it was typed: it identifies a forced run that was stopped.
  package var queryText = ""
  /// Starts a forced run from the beginning, although one was stopped.
  package var restarts = false

  package init(workers: WorkerPool.Configuration, reasons: Set<RedoReason>, query: Query) {
    jobs = FileJobOptions(workers: workers)
    self.reasons = reasons
    self.query = query
  }

  var isForced: Bool { reasons.contains(.forced) }
}

extension Set<RedoReason> {
  /// There, but not as this version of the program makes it.
  package static var stale: Set { [.olderVersion, .newerVersion, .otherParameters] }
}

/// How a reanalysis ended.
package struct ReanalysisReport: Sendable {
  /// A recording of which nothing was made; what is stored of it stays.
  package struct Skipped: Sendable {
    package enum Reason: Hashable, Sendable, CustomStringConvertible {
      case noFile
      /// The folder of the root is not there.
      case rootAway(BytePath, SystemError)
      /// Fingerprints are wanted, and Chromaprint is not installed.
      case noChromaprint
      /// The file holds another recording than when it was scanned.
      case otherRecording
      case writtenWhileRead
      /// In frames.
      case otherLength(decoded: Int64, scanned: Int64)
      case unreadable(reason: String)

      package var description: String {
        switch self {
        case .noFile: "no file contains it any more"
        case .rootAway(let path, let error): "\(path.displayString) is missing: \(error)"
        case .noChromaprint: "fingerprints need Chromaprint, which is not installed"
        case .otherRecording: "contains a different recording than when it was scanned"
        case .writtenWhileRead: "was modified while it was read"
        case .otherLength(let decoded, let scanned):
          "decodes to \(decoded) frames now, \(scanned) when it was scanned"
        case .unreadable(let reason): reason
        }
      }
    }

    package var recordingID: Int64
    package var path: BytePath?
    package var reason: Reason
    /// Whether a file that may hold it is in a folder or on a disk that was not there.
    package var isAway: Bool
  }

  package var plan = ReanalysisPlan()
  package var decodedFileCount = 0
  package var audioInSeconds = 0.0
  /// Recordings whose products came from stored ones.
  package var undecodedCount = 0
  package var productCount = 0
  /// Of these, how many differ from what was stored.
  package var changedProductCount = 0
  package var skipped: [Skipped] = []
  /// Recordings that turned out to be another one.
  package var identities: [IdentityChange] = []
  package var elapsedInSeconds = 0.0
  /// The signal that ended it early.
  package var stoppedBySignal: Int32?

  package init() {}

  /// Recordings that were skipped, and can be made when their folder or disk is there.
  package var awayCount: Int { skipped.count(where: \.isAway) }
}

/// Recomputes products of recordings: those that are missing or stale, or all that are wanted.
///
/// Like a scan it is the only writer, works in batches, and may be stopped at any moment: missing and stale products
/// show what is left to do, and a forced run is remembered in the library until it is complete. It writes only
/// products, and does not touch one that comes out as it was.
package final class Reanalysis {
  private let options: ReanalysisOptions
  private let library: LibraryRun

  private var store: MediaStore { library.store }

  package init(
    store: MediaStore, options: ReanalysisOptions, stop: StopSignal = .never, log: Logger = .silent,
    onProgress: @escaping (ScanProgress) -> Void = { _ in }
  ) {
    self.options = options
    library = LibraryRun(
      store: store, options: options.jobs, stop: stop, log: ReadingLog(logger: log), onProgress: onProgress)
  }

  /// What ``run(announcing:)`` would do now; nothing is written.
  package func plan() throws -> ReanalysisPlan {
    try plan(continuing: options.isForced && !options.restarts ? store.reanalyses.checkpoint(of: task) : nil)
  }

  /// Recomputes the products; a recording whose files cannot be read is skipped, with the reason in the report.
  ///
  /// - Parameter announce: Called with the plan before anything is read.
  package func run(announcing announce: (ReanalysisPlan) -> Void = { _ in }) throws -> ReanalysisReport {
    // Released at the end of this function, and by the kernel if the process dies.
    let lock = try store.reanalyses.begin(of: options.jobs.kinds)
    defer { lock.release() }
    let forced = options.isForced ? try store.reanalyses.beginCheckpoint(of: task, restarts: options.restarts) : nil
    let plan = try plan(continuing: forced)
    announce(plan)
    var report = ReanalysisReport()
    if !plan.items.isEmpty {
      let roots = try ReanalysisRoots(storing { () throws(StoreError) in try store.roots.all() })
      report = try library.runJobs(
        of: ReanalysisJobs(plan, forced: forced, in: library, roots), in: roots.open, followsLinks: true
      ).handler.report
    }
    report.plan = plan
    report.stoppedBySignal = library.stop.number
    report.elapsedInSeconds = library.elapsedInSeconds
    if let forced, library.stop.number == nil, report.awayCount == 0 { try store.reanalyses.endCheckpoint(forced) }
    try store.reanalyses.finish(
      decodedFileCount: report.decodedFileCount, audioInSeconds: report.audioInSeconds,
      elapsedInSeconds: report.elapsedInSeconds, of: lock)
    return report
  }

  private func plan(continuing forced: ReanalysisCheckpoint?) throws -> ReanalysisPlan {
    let kinds = options.jobs.kinds
    var plan = ReanalysisPlan()
    try store.reanalyses.forEachRecording(
      of: options.query, findingDamageIn: options.reasons.contains(.damaged) ? kinds : []
    ) { recording in
      if forced?.doneIDs.contains(recording.id) == true {
        plan.doneCount += 1
      } else {
        plan.add(recording, kinds: kinds, reasons: options.reasons)
      }
    }
    if plan.doneCount > 0 { plan.resumedSince = forced?.startedAt }
    plan.estimateInSeconds = try store.reanalyses.pace(making: kinds).map { plan.audioInSeconds / $0 }
    return plan
  }

  private var task: ReanalysisCheckpoint.Task {
    let recipes = options.jobs.kinds.sorted().map(ProductRecipe.current)
    return ReanalysisCheckpoint.Task(
      recipes: recipes.map { "\($0.kind.rawValue) \($0.version) \($0.parameters)" }.joined(separator: "\n"),
      query: options.queryText)
  }
}
