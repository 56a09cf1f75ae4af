package import Base
internal import MediaModel
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
    guard let bytes = folder?.bytes(name, limit: Self.largestByteCount), Self.isWhole(bytes) else { return nil }
    remember(bytes, name)
    return bytes
  }

  package func keep(_ bytes: [UInt8], as name: String) {
    folder?.keep(bytes, as: name)
    remember(bytes, name)
  }

  /// Whether the bytes of a file begin and end as those of a JPEG or PNG: others were cut off, or are not of this program.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    switch PictureMediaType.name(ofPictureThatBegins: bytes) {
    case "image/jpeg": bytes.suffix(2) == [0xFF, 0xD9]
    // The last chunk, IEND.
    case "image/png": bytes.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    default: false
    }
  }

  private func remember(_ bytes: [UInt8], _ name: String) {
    known.withLock { _ = $0.insert(bytes, for: name, cost: bytes.count) }
  }
}
