/// What was deleted, or would be.
package struct PruneReport: Hashable, Sendable {
  package var fileCount: Int
  /// Recordings that then no file holds, and of which something was known.
  package var recordingCount: Int
  /// Of the products.
  package var byteCount: Int64
  /// Assignments of presets to these recordings, which stay.
  package var keptAssignmentCount: Int
  /// Of the recordings, those that are in a list or have an attribute: they stay, without what was measured of them.
  package var keptRecordingCount: Int
}
