import GRDB
import MediaModel
import MediaStore
import TestSupport

/// A new library with one root, for one test.
final class TemporaryLibrary {
  let folder: TemporaryFolder
  let path: BytePath
  let store: MediaStore
  let root: Root

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("library.sqlite")
    store = try MediaStore(at: path, access: .createIfMissing, patience: .milliseconds(200))
    root = try store.addRoot(path: BytePath("/music"), volume: "v1")
  }

  /// The files of the root as `path: state`, in order.
  func files() throws -> [String] {
    try store.knownFiles(inRoot: root.id).map { "\($0.path.displayString): \($0.state.rawValue)" }
  }

  func id(of path: String) throws -> Int64? {
    try store.knownFiles(inRoot: root.id).first { $0.path == BytePath(path) }?.id
  }

  /// The file's recording.
  func recording(of path: String) throws -> Int64? {
    try store.knownFiles(inRoot: root.id).first { $0.path == BytePath(path) }?.recordingID
  }

  func value<Value: DatabaseValueConvertible>(_ sql: String, as type: Value.Type = Value.self) throws -> Value? {
    try DatabaseQueue(path: path.displayString).read { try Value.fetchOne($0, sql: sql) }
  }

  func execute(_ sql: String) throws {
    try DatabaseQueue(path: path.displayString).write { try $0.execute(sql: sql) }
  }

  deinit { try? store.close() }
}
