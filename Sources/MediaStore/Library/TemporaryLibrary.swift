internal import Base
internal import Foundation

extension MediaStore {
  /// An empty library that exists as long as it is open: its file has no name any more, so no crash leaves it behind.
  package static func temporary() throws(StoreError) -> MediaStore {
    let folder = FileManager.default.temporaryDirectory.appending(path: "deadwax-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    // SQLite opens its files at the first read, which is over when this returns.
    return try MediaStore(
      at: BytePath(folder.path).appending(BytePath("library.sqlite")), access: .createIfMissing,
      patience: .seconds(10), isTemporary: true)
  }
}
