package import MediaModel

/// One thing that a scan found out.
package enum FileChange: Sendable {
  /// New or changed content; replaces what its root and path held.
  case extracted(FileRecord)
  /// Touched, but the content is the same; a missing file is back.
  case restated(fileID: Int64, FileStatus)
  /// Found again elsewhere; nothing was read. A row that held the path is dropped unless the same batch moves it too.
  case moved(fileID: Int64, rootID: Int64, path: BytePath, FileStatus)
  case missing(fileID: Int64)
}
