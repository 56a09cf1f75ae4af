import Base
import GRDB
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TestSupport
import UserData

/// A new library with one root, for one test.
final class TemporaryLibrary {
  let folder: TemporaryFolder
  let path: BytePath
  let store: MediaStore
  let root: Root

  init(sounds: SoundFinders = SoundFinders()) throws {
    folder = try TemporaryFolder()
    path = folder.file("library.sqlite")
    store = try MediaStore(at: path, access: .createIfMissing, timeout: .milliseconds(200), sounds: sounds)
    root = try store.roots.add(BytePath("/music"), volume: "v1")
  }

  /// Stores one file for each number.
  func addFiles(_ numbers: Range<Int>) throws {
    try store.scans.apply(
      numbers.map { .extracted(Sample.record("f\($0).flac", Sample.extraction(UInt64($0)))) })
  }

  /// The files of the root as `path: state`, in order.
  func files() throws -> [String] {
    try store.scans.knownFiles(inRoot: root.id).map { "\($0.path.displayString): \($0.state.rawValue)" }
  }

  func id(of path: String) throws -> Int64? {
    try store.scans.knownFiles(inRoot: root.id).first { $0.path == BytePath(path) }?.id
  }

  /// The file's recording.
  func recording(of path: String) throws -> Int64? {
    try store.scans.knownFiles(inRoot: root.id).first { $0.path == BytePath(path) }?.recordingID
  }

  func value<Value: DatabaseValueConvertible>(_ sql: String, as type: Value.Type = Value.self) throws -> Value? {
    try DatabaseQueue(path: path.displayString).read { try Value.fetchOne($0, sql: sql) }
  }

  func execute(_ sql: String) throws {
    try DatabaseQueue(path: path.displayString).write { try $0.execute(sql: sql) }
  }

  /// How many transactions `body` commits, counted in the write-ahead log: a frame that ends one says how long the library
  /// then is (https://www.sqlite.org/fileformat2.html, section 4.1).
  func commitCount(of body: () throws -> Void) throws -> Int {
    // The log is not begun anew while somebody reads from it.
    try store.presets.create(try PresetStoreTests.preset("In the log \(store.presets.all().count)"))
    let reader = try DatabaseQueue(path: path.displayString)
    return try reader.inDatabase { db in
      try db.beginTransaction(.deferred)
      defer { try? db.rollback() }
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM root")
      let before = try commitCountOfLog()
      try body()
      return try commitCountOfLog() - before
    }
  }

  private func commitCountOfLog() throws -> Int {
    let bytes = try folder.bytes(of: "library.sqlite-wal")
    let frameByteCount = 24 + bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
    return stride(from: 32, through: bytes.count - frameByteCount, by: frameByteCount).count { start in
      bytes[start + 4..<start + 8].contains { $0 != 0 } && bytes[start + 8..<start + 16] == bytes[16..<24]
    }
  }

  deinit { try? store.close() }
}
