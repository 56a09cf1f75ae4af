internal import MediaModel

/// The right to scan a library, held until it is released, deallocated, or the process ends in whatever way.
package final class ScanLock: Sendable {
  /// The row of `scan_run`.
  let runID: Int64
  private let library: LibraryFile

  init(runID: Int64, library: LibraryFile) {
    self.runID = runID
    self.library = library
  }

  package func release() { library.unlock(.scan) }

  deinit { release() }
}
