/// What was deleted, or would be.
package struct PruneReport: Hashable, Sendable {
  package var fileCount = 0
  /// Recordings that then no file holds, and of which something was known.
  package var recordingCount = 0
  /// Of the products.
  package var byteCount: Int64 = 0
  /// Assignments of presets to these recordings, which stay.
  package var keptAssignmentCount = 0
  /// Of the recordings, those that are in a list or have an attribute: they stay, without what was measured of them.
  package var keptRecordingCount = 0

  static func += (report: inout PruneReport, part: PruneReport) {
    report.fileCount += part.fileCount
    report.recordingCount += part.recordingCount
    report.byteCount += part.byteCount
    report.keptAssignmentCount += part.keptAssignmentCount
    report.keptRecordingCount += part.keptRecordingCount
  }
}
