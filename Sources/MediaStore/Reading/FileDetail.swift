package import MediaModel

/// One file of a recording.
package struct FileDetail: Hashable, Sendable {
  package var id: Int64
  /// Absolute.
  package var path: BytePath
  package var byteCount: Int64
  /// Nanoseconds since 1970.
  package var modificationTimeInNanoseconds: Int64
  package var state: FileState
  package var problem: Problem?
  /// Remarks that do not change the state, such as `extension-mismatch`.
  package var notes: [String]
  package var attempts: Int
  /// Seconds since 1970.
  package var addedAt: Int64
  /// Seconds since 1970; set while the file is missing.
  package var missingSince: Int64?
}
