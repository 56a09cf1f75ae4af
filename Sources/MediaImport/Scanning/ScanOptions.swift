package import MediaModel

/// What a scan is asked to do.
package struct ScanOptions: Sendable {
  /// Absolute paths; empty for every known root. A folder below a known root scans that part of it.
  package var folders: [BytePath] = []
  package var workers: WorkerPool.Configuration
  /// Patterns of gitignore syntax.
  package var excludedGlobs: [String] = []
  package var followsLinks = false
  /// Goes on where the safety stop would refuse to mark files as missing.
  package var acceptsMissing = false
  /// Reads again the files whose time and size did not change.
  package var isDeep = false
  /// Looks and counts, but opens no file and writes nothing.
  package var isDryRun = false
  /// Products to make for new sounds.
  package var kinds: Set<ProductKind> = Set(ProductKind.allCases)

  package init(workers: WorkerPool.Configuration) { self.workers = workers }
}
