package import MediaModel

/// What the library knows of a file that a scan compares with the file system.
package struct KnownFile: Hashable, Sendable {
  package var id: Int64
  /// Relative to the root.
  package var path: BytePath
  package var status: FileStatus
  package var state: FileState
  /// What ``state`` was when the file was last read; the same unless it is missing now.
  package var lastState: FileState
  package var extractorVersion: Int
  package var recordingID: Int64?

  package init(
    id: Int64, path: BytePath, status: FileStatus, state: FileState, lastState: FileState,
    extractorVersion: Int, recordingID: Int64?
  ) {
    self.id = id
    self.path = path
    self.status = status
    self.state = state
    self.lastState = lastState
    self.extractorVersion = extractorVersion
    self.recordingID = recordingID
  }
}
