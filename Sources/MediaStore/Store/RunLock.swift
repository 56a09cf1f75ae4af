internal import Base
internal import LibraryDatabase

/// The scan lock, held until it is released or deallocated, or the process ends.
///
/// `Run` names the table of the run that holds it.
package final class RunLock<Run>: Sendable {
  /// The id of the run's row.
  package let runID: Int64
  private let library: LibraryFile

  package init(runID: Int64, library: LibraryFile) {
    self.runID = runID
    self.library = library
  }

  package func release() { library.unlock(.scan) }

  deinit { release() }
}

/// A run of `scan_run`.
package enum ScanRun {}

/// A run of `reanalysis`.
package enum ReanalysisRun {}

/// The lock of the one process that watches a library, held until it is released or deallocated, or the process ends.
package final class WatchLock: Sendable {
  private let library: LibraryFile

  fileprivate init(_ library: LibraryFile) { self.library = library }

  package func release() { library.unlock(.watch) }

  deinit { release() }
}

extension MediaStore {
  /// Takes the lock of processes that watch; scans do not need it.
  ///
  /// - Throws: ``StoreError/watchRunning(_:)`` while another process has it.
  package func beginWatching() throws(StoreError) -> WatchLock {
    guard canWrite else { throw .readOnly(library.path) }
    guard try library.tryLock(.watch) else { throw .watchRunning(library.path) }
    return WatchLock(library)
  }

  /// Takes the lock of commands that change more than single rows, and removes the leftovers of killed processes.
  package func lockForScanning() throws(StoreError) {
    guard canWrite else { throw .readOnly(library.path) }
    guard try library.tryLock(.scan) else { throw runningScan }
    LibraryLeftovers.removeAll(beside: path)
  }

  /// The error if another process holds the lock, with the process if it is a scan or a reanalysis.
  package var runningScan: StoreError {
    let runs: [(processID: Int32, startedAt: Int64)]? = try? read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT process_id, started_at
            FROM (SELECT process_id, started_at, id, 0 AS source FROM scan_run WHERE ended_at IS NULL
                  UNION ALL SELECT process_id, started_at, id, 1 FROM reanalysis WHERE ended_at IS NULL)
           ORDER BY started_at DESC, source DESC, id DESC
          """
      ).map { try ($0[0], $0[1]) }
    }
    // A killed process did not record its end.
    let run = runs?.first { RunningProcess.isThere($0.processID, since: $0.startedAt) }
    return .scanRunning(
      library.path, processID: run?.processID, since: run.map { Timestamp(secondsSince1970: $0.startedAt).description })
  }
}
