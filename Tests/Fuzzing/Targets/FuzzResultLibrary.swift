internal import MediaModel
internal import MediaStore
internal import TestSupport

/// A library of one root that results of workers are written to.
final class FuzzResultLibrary: Sendable {
  static let shared = Result { try FuzzResultLibrary() }

  let store: MediaStore
  private let folder: TemporaryFolder

  private init() throws {
    folder = try TemporaryFolder()
    store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing, patience: .seconds(1))
    _ = try store.addRoot(path: BytePath("/music"), volume: "v1")
  }
}
