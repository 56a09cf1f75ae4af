internal import Foundation
internal import GRDB
package import MediaModel

extension MediaStore {
  /// A stored analysis with its bytes; nil where there is none.
  ///
  /// - Throws: ``StoreError/damagedProduct(_:kind:recordingID:)`` if the bytes are not what was written.
  package func product(_ kind: ProductKind, ofRecording id: Int64) throws(StoreError) -> Product? {
    try read { db in
      guard
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT product.version, product.parameters, product_blob.checksum, product_blob.bytes
              FROM product LEFT JOIN product_blob ON product_blob.product_id = product.id
             WHERE product.audio_id = :audio AND product.kind = :kind
            """,
          arguments: ["audio": id, "kind": kind.rawValue])
      else { return nil }
      guard let checksum: Int64 = try row[2], let bytes: Data = try row[3],
        case let bytes = [UInt8](bytes), Int64(CRC32.checksum(bytes)) == checksum
      else { throw StoreError.damagedProduct(library.path, kind: kind, recordingID: id) }
      return try Product(kind: kind, version: row[0], parameters: row[1], bytes: bytes)
    }
  }

  /// nil where a recording was never measured.
  package func measures(ofRecording id: Int64) throws(StoreError) -> Measures? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM measures WHERE audio_id = ?", arguments: [id])
        .map(MeasureColumns.measures)
    }
  }
}
