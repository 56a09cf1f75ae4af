package import MediaModel

/// Where a scan stands, for showing.
package struct ScanProgress: Sendable {
  package enum Phase: Sendable {
    /// Folders are read; the total is not known yet.
    case walking
    case reading
  }

  package var phase = Phase.walking
  /// Files found so far.
  package var foundCount = 0
  /// Files to read, and those that are done.
  package var totalCount = 0
  package var doneCount = 0
  package var totalByteCount: Int64 = 0
  package var doneByteCount: Int64 = 0
  /// Seconds of audio decoded so far, the files in work included.
  package var decodedSeconds = 0.0
  /// Since the reading began.
  package var elapsedInSeconds = 0.0
  /// The file that was started last.
  package var currentPath: BytePath?
  package var problemCount = 0

  package init() {}

  /// Seconds until the end at the present pace; nil while that cannot be said.
  package var remainingSeconds: Double? {
    guard elapsedInSeconds > 1, doneByteCount > 0 else { return nil }
    return elapsedInSeconds * Double(totalByteCount - doneByteCount) / Double(doneByteCount)
  }
}
