package import MediaModel

/// How a reanalysis ended.
package struct ReanalysisReport: Sendable {
  /// A recording of which nothing was made; what is stored of it stays.
  package struct Skipped: Sendable {
    package var recordingID: Int64
    package var path: BytePath?
    package var reason: String
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
}
