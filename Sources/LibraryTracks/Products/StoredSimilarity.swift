package import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

extension Products {
  /// Thirty-two bytes that change when the statistics of recordings do: their number, and sums over their rows.
  ///
  /// - Complexity: O(n) in the number of products, of which no bytes are read.
  package func similarityState() throws(StoreError) -> [UInt8] {
    try store.read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*), coalesce(max(id), 0), coalesce(sum(made_at), 0), coalesce(sum(audio_id), 0)
            FROM product WHERE kind = :kind AND version = :version
          """,
        arguments: [
          "kind": ProductKind.similarity.rawValue, "version": ProductRecipe.current(.similarity).version,
        ])
      var writer = ByteWriter(capacity: 32)
      for column in 0..<4 { writer.append(try row?[column] as Int64? ?? 0) }
      return writer.bytes
    }
  }

  /// Calls `body` with the statistics of each recording, in the order of their ids; damaged ones are left out.
  package func forEachSimilarity(_ body: (ContentHash, SimilarityStatistics) -> Void) throws(StoreError) {
    try store.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT audio.hash, product_blob.checksum, product_blob.bytes
            FROM audio JOIN product ON product.audio_id = audio.id AND product.kind = :kind
                 JOIN product_blob ON product_blob.product_id = product.id
           WHERE product.version = :version
           ORDER BY audio.id
          """,
        arguments: [
          "kind": ProductKind.similarity.rawValue, "version": ProductRecipe.current(.similarity).version,
        ])
      while let row = try rows.next() {
        let hash = try row.withUnsafeData(atIndex: 0) { $0.flatMap { ContentHash(bytes: $0) } }
        let bytes = try row.withUnsafeData(atIndex: 2) { [UInt8]($0 ?? Data()) }
        guard let hash, try Int64(CRC32.checksum(bytes)) == row[1],
          let statistics = try? SimilarityStatistics(blob: bytes)
        else { continue }
        body(hash, statistics)
      }
    }
  }
}
