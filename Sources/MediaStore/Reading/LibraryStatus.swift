package import MediaModel

/// What a library holds, in numbers.
package struct LibraryStatus: Hashable, Sendable {
  package struct RootStatus: Hashable, Sendable {
    package var root: Root
    package var fileCount: Int
    package var missingCount: Int
    package var byteCount: Int64
  }

  package struct ProductStatus: Hashable, Sendable {
    package var kind: ProductKind
    package var currentCount: Int
    /// Made by another version or with other parameters than this program would use.
    package var staleCount: Int
    package var byteCount: Int64
  }

  package struct Scan: Hashable, Sendable {
    package var processID: Int32
    /// Seconds since 1970.
    package var startedAt: Int64
    /// nil for one that was killed, or runs.
    package var endedAt: Int64?
    package var isRunning: Bool
    package var summary: ScanSummary?
  }

  package var roots: [RootStatus]
  /// Files in each state that occurs.
  package var files: [FileState: Int]
  /// Those of the unsupported that are no audio by name or content: remembered, so that no scan reads them again, and in no
  /// list.
  package var unlistedCount: Int
  package var recordingCount: Int
  /// Recordings that no file holds any more.
  package var orphanCount: Int
  /// Of the recordings that a present file holds, each counted once.
  package var audioInSeconds: Double
  /// Of the encoded files that are present.
  package var mediaByteCount: Int64
  package var products: [ProductStatus]
  /// Presets of the library itself.
  package var presetCount: Int
  package var presetAssignmentCount: Int
  /// Whether presets are switched on for the library as a whole.
  package var arePresetsOn: Bool
  package var lastScan: Scan?
  /// Of the library itself, its write-ahead log not included.
  package var libraryByteCount: Int64
}
