internal import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// The landmarks that a library has, without their bytes, in one state of it.
package struct StoredLandmarks: Sendable {
  package struct Row: Sendable {
    package var hash: ContentHash
    /// CRC-32 of the bytes.
    package var checksum: UInt32
    package var productID: Int64
  }

  /// Sixteen bytes that differ for each state of the library.
  package var mark: [UInt8]
  package var rows: [Row]
}

extension Products {
  /// All current landmarks, by the id of the recording.
  package func landmarks() throws(StoreError) -> StoredLandmarks {
    let recipe = ProductRecipe.current(.landmarks)
    return try store.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT audio.hash, product_blob.checksum, product.id
            FROM product
            JOIN audio ON audio.id = product.audio_id
            JOIN product_blob ON product_blob.product_id = product.id
           WHERE product.kind = :kind AND product.version = :version
           ORDER BY audio.id
          """,
        arguments: ["kind": recipe.kind.rawValue, "version": recipe.version])
      var found: [StoredLandmarks.Row] = []
      while let row = try rows.next() {
        guard let hash = try ContentHash(bytes: row[0] as Data) else { continue }
        found.append(
          try StoredLandmarks.Row(hash: hash, checksum: UInt32(truncatingIfNeeded: row[1] as Int64), productID: row[2]))
      }
      return StoredLandmarks(mark: try MediaStore.stateMark(db), rows: found)
    }
  }

  /// The bytes of products, in any order; those that are gone, or not those that were written, are left out.
  package func bytes(of ids: [Int64]) throws(StoreError) -> [Int64: [UInt8]] {
    try store.read { db in
      var found: [Int64: [UInt8]] = [:]
      let statement = try db.cachedStatement(
        sql: "SELECT checksum, bytes FROM product_blob WHERE product_id = ?")
      for id in ids {
        guard let row = try GRDB.Row.fetchOne(statement, arguments: [id]) else { continue }
        let bytes = try [UInt8](row[1] as Data)
        if try Int64(CRC32.checksum(bytes)) == row[0] { found[id] = bytes }
      }
      return found
    }
  }
}
