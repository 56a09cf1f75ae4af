package import MediaModel

/// A file that was read.
package struct FileRecord: Sendable {
  package var rootID: Int64
  /// Relative to the root.
  package var path: BytePath
  package var status: FileStatus
  package var extraction: Extraction
  package var attempts: Int
  package var extractorVersion: Int
  /// Id of the file whose row this is: one that vanished and was found again with other tags.
  package var movedFrom: Int64?

  package init(
    rootID: Int64, path: BytePath, status: FileStatus, extraction: Extraction, attempts: Int = 1,
    extractorVersion: Int, movedFrom: Int64? = nil
  ) {
    self.rootID = rootID
    self.path = path
    self.status = status
    self.extraction = extraction
    self.attempts = attempts
    self.extractorVersion = extractorVersion
    self.movedFrom = movedFrom
  }
}
