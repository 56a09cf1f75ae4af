internal import MediaModel

/// The right to write like a scan, held until it is released, deallocated, or the process ends in whatever way.
///
/// `Run` says in which table the run is kept that has it.
package final class RunLock<Run>: Sendable {
  /// The row of the run.
  let runID: Int64
  private let library: LibraryFile

  init(runID: Int64, library: LibraryFile) {
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
