/// What was deleted, or would be.
package struct PruneReport: Hashable, Sendable {
  package var fileCount: Int
  /// Recordings that then no file holds, with their products.
  package var recordingCount: Int
  /// Of the products.
  package var byteCount: Int64
  /// Assignments of presets to these recordings, which stay.
  package var keptAssignmentCount: Int
}
