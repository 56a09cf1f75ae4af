package import Base
internal import Synchronization

/// Pictures that were made, by a name that says all they were made of: in memory, and on the disk if there is a folder for them;
/// both within bounds.
package final class PictureCache: Sendable {
  /// Of a picture that is read from the disk: one of 2,048 pixels needs less.
  private static let largestByteCount = 32 << 20

  private let known: Mutex<LeastRecentlyUsed<String, [UInt8]>>
  private let folder: CacheFolder?

  /// - Parameters:
  ///   - capacityInBytes: of what is kept in memory.
  ///   - folder: where pictures are kept that are no longer in memory.
  package init(capacityInBytes: Int = 32 << 20, folder: CacheFolder? = nil) {
    known = Mutex(LeastRecentlyUsed(capacity: capacityInBytes))
    self.folder = folder
  }

  /// - Parameter name: of letters, digits, hyphens and dots.
  package subscript(name: String) -> [UInt8]? {
    if let bytes = known.withLock({ $0.value(for: name) }) { return bytes }
    guard let bytes = folder?.bytes(name, limit: Self.largestByteCount) else { return nil }
    remember(bytes, name)
    return bytes
  }

  package func keep(_ bytes: [UInt8], as name: String) {
    folder?.keep(bytes, as: name)
    remember(bytes, name)
  }

  private func remember(_ bytes: [UInt8], _ name: String) {
    known.withLock { _ = $0.insert(bytes, for: name, cost: bytes.count) }
  }
}
