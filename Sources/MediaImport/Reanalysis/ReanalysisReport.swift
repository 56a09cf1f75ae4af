package import MediaModel

/// How a reanalysis ended.
package struct ReanalysisReport: Sendable {
  /// A recording of which nothing was made; what is stored of it stays.
  package struct Skipped: Sendable {
    package var recordingID: Int64
    package var path: BytePath?
    package var reason: String
    /// Whether a file that may hold it lies in a folder or on a disk that was not there.
    package var isAway: Bool
  }

  package var plan = ReanalysisPlan()
  package var decodedFileCount = 0
  package var audioInSeconds = 0.0
  /// Recordings whose products came from stored ones.
  package var undecodedCount = 0
  package var productCount = 0
  /// Of these, how many are not what they were.
  package var changedProductCount = 0
  package var skipped: [Skipped] = []
  package var elapsedInSeconds = 0.0
  /// The signal that ended it early.
  package var stoppedBySignal: Int32?

  package init() {}

  /// Recordings that were skipped, and may be made once their folder or disk is there.
  package var awayCount: Int { skipped.count(where: \.isAway) }
}
