package import MediaModel

/// A file that a scan did not find any more.
package struct MissingFile: Hashable, Sendable {
  package var id: Int64
  package var rootID: Int64
  /// Absolute.
  package var path: BytePath
}
