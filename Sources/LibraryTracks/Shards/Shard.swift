package import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore
internal import UserData

/// A library that keeps products which a catalogue was merged without.
package struct Shard: Hashable, Sendable {
  package var path: BytePath
  /// Recordings with products.
  package var recordingCount: Int
  /// Why nothing is read from it; nil if it is at hand as it was registered.
  package var problem: ShardProblem?
  /// Products whose bytes are not those that were written; nil if they were not checked.
  package var damagedProductCount: Int?

  package var isUsable: Bool { problem == nil && (damagedProductCount ?? 0) == 0 }
}

/// A shard that is open: at hand, and in the state that was registered when it was opened.
///
/// Like every library it is opened by ``MediaStore``, but never migrated, and no log is set aside.
final class OpenShard: Sendable {
  let path: BytePath
  /// Of the state that was registered.
  let mark: Data
  private let store: MediaStore

  /// - Parameter mark: nil for the present state.
  init(at path: BytePath, mark: Data? = nil) throws(StoreError) {
    self.path = path
    let file: LibraryFile
    do { file = try LibraryFile(at: path) } catch {
      let reason = if case .missingLibrary = error { "there is no such file" } else { error.message }
      throw .shard(path, .notAtHand(reason: reason))
    }
    defer { file.close() }
    do {
      guard try file.header().schemaVersion == LibraryHeader.currentVersion else {
        throw StoreError.shard(path, .unusable(reason: "made by an older version of the program"))
      }
      try ForeignWAL.refuse(beside: file)
      store = try MediaStore(at: path, access: .readOnly)
      let present = try store.read { db in
        // A view or a generated column could compute without end.
        try SchemaStructure.requireNothingForeign(db, in: path)
        return try Self.mark(of: db)
      }
      guard let present, mark == nil || mark == present else { throw StoreError.shard(path, .changed) }
      self.mark = present
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Whether it is this very file.
  func isSame(as library: LibraryFile) -> Bool { store.library.isSameFile(as: library) }

  /// Whether another file has its name by now.
  var isReplaced: Bool { store.library.isReplaced }

  /// Calls `body` with the hash of each recording that has products, in ascending order, of the state that ``mark``
  /// names.
  func forEachRecording(_ body: (Data) throws -> Void) throws {
    try reading { db in
      let hashes = try Data.fetchCursor(
        db,
        sql: """
          SELECT hash FROM audio WHERE EXISTS (SELECT 1 FROM product WHERE audio_id = audio.id) ORDER BY hash
          """)
      while let hash = try hashes.next() { try body(hash) }
    }
  }

  /// A product of the recording with one of the hashes; nil if there is none, or the recording has another length here.
  func product(_ kind: ProductKind, of wanted: ShardedRecording) throws(StoreError) -> Product? {
    try reading { db in
      guard let id = try Self.recordingID(wanted, db) else { return nil }
      return try Product.fetch(kind, ofRecording: id, db, in: store.library)
    }
  }

  /// What it has of a recording, without measures.
  func products(of wanted: ShardedRecording) throws(StoreError) -> [StoredProduct] {
    try reading { db in
      guard let id = try Self.recordingID(wanted, db) else { return [] }
      return try StoredProduct.fetchAll(ofRecording: id, db).filter { $0.kind != .measures }.map { product in
        var product = product
        product.shard = path
        return product
      }
    }
  }

  /// Compares the bytes of all products with their checksums.
  func damagedProductCount() throws(StoreError) -> Int { try reading { try ProductCheck.damagedProductCount($0) } }

  /// Reads one state, which must be that of ``mark``.
  private func reading<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try store.read { db in
        guard try Self.mark(of: db) == mark else { throw StoreError.shard(path, .changed) }
        return try body(db)
      }
    } catch {
      throw Self.error(error, path)
    }
  }

  private static func mark(of db: Database) throws -> Data? {
    try Data.fetchOne(db.cachedStatement(sql: "SELECT current FROM log_mark"))
  }

  private static func recordingID(_ wanted: ShardedRecording, _ db: Database) throws -> Int64? {
    for hash in wanted.hashes {
      let id = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM audio WHERE hash = ? AND decoded_frames IS ?"),
        arguments: [hash, wanted.decodedFrameCount])
      if let id { return id }
    }
    return nil
  }

  private static func error(_ error: any Error, _ path: BytePath) -> StoreError {
    guard let error = error as? StoreError else { return .shard(path, .unusable(reason: "\(error)")) }
    if case .shard = error { return error }
    return .shard(path, .unusable(reason: error.message))
  }

  deinit { try? store.close() }
}

/// A recording as shards know it.
struct ShardedRecording {
  /// Its hash, then those that it had before.
  let hashes: [Data]
  let decodedFrameCount: Int64?

  /// nil if there is no such recording.
  init?(id: Int64, _ db: Database) throws {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT hash, decoded_frames FROM audio WHERE id = ?"), arguments: [id])
    guard let row else { return nil }
    let hash: Data = try row[0]
    hashes =
      try [hash]
      + Data.fetchAll(
        db.cachedStatement(sql: "SELECT hash FROM former_hash WHERE current = ? ORDER BY id"), arguments: [hash])
    decodedFrameCount = try row[1]
  }
}
