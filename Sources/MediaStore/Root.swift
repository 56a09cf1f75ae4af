package import MediaModel

/// A folder that is scanned.
package struct Root: Hashable, Sendable {
  package var id: Int64
  /// Absolute, without a slash at its end (except `/` itself).
  package var path: BytePath
  /// Identity of the file system that it was first seen on; nil until a scan finds files of it, where it came with a merge
  /// or was relocated.
  package var volume: String?
  /// Seconds since 1970.
  package var addedAt: Int64

  package init(id: Int64, path: BytePath, volume: String?, addedAt: Int64) {
    self.id = id
    self.path = path
    self.volume = volume
    self.addedAt = addedAt
  }
}
