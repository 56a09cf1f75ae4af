package import Base

/// Where a scan or a reanalysis stands, to be shown.
package struct ScanProgress: Sendable {
  package enum Phase: Sendable {
    /// Folders are walked; the total is not known yet.
    case walking
    case reading
  }

  package var phase = Phase.walking
  /// Files found so far.
  package var foundCount = 0
  /// Files that the library does not know yet.
  package var newCount = 0
  /// Files to read, and those that are done.
  package var totalCount = 0
  package var doneCount = 0
  /// Those of them whose sound was decoded.
  package var decodedCount = 0
  package var totalByteCount: Int64 = 0
  package var doneByteCount: Int64 = 0
  /// Seconds of audio decoded so far, including the files that are being read.
  package var decodedSeconds = 0.0
  /// Since the reading began.
  package var elapsedInSeconds = 0.0
  /// The file that was opened last.
  package var currentPath: BytePath?
  package var problemCount = 0

  package init() {}

  /// Seconds until the end at the present pace; nil if that is not known yet.
  package var remainingSeconds: Double? {
    guard elapsedInSeconds > 1, doneByteCount > 0 else { return nil }
    return elapsedInSeconds * Double(totalByteCount - doneByteCount) / Double(doneByteCount)
  }
}
