package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// A product in the library, without its bytes.
package struct StoredProduct: Hashable, Sendable {
  package var kind: ProductKind
  package var version: Int
  package var parameters: String
  package var byteCount: Int64
  /// The shard that has it; nil for the library itself.
  package var shard: BytePath?

  package init(kind: ProductKind, version: Int, parameters: String, byteCount: Int64) {
    self.kind = kind
    self.version = version
    self.parameters = parameters
    self.byteCount = byteCount
  }
}

extension StoredProduct {
  /// All of a recording, in ascending order of kind, including ``ProductKind/measures``, whose byte count is 0.
  package static func fetchAll(ofRecording id: Int64, _ db: Database) throws -> [StoredProduct] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT kind, version, parameters, byte_count FROM product WHERE audio_id = :id
          UNION ALL SELECT 'measures', version, parameters, 0 FROM measures WHERE audio_id = :id
          ORDER BY 1
          """),
      arguments: ["id": id]
    ).compactMap { row in
      try ProductKind(rawValue: row[0]).map {
        try StoredProduct(kind: $0, version: row[1], parameters: row[2], byteCount: row[3])
      }
    }
  }
}

extension Product {
  /// - Throws: ``StoreError/damagedProduct(_:kind:recordingID:)`` if the bytes are not those that were written.
  package static func fetch(
    _ kind: ProductKind, ofRecording id: Int64, _ db: Database, in library: LibraryFile
  ) throws -> Product? {
    // A cursor, because a fetched row is a copy, and products are large.
    try Row.fetchCursor(
      db,
      sql: """
        SELECT product.version, product.parameters, product_blob.checksum, product_blob.bytes
          FROM product LEFT JOIN product_blob ON product_blob.product_id = product.id
         WHERE product.audio_id = :audio AND product.kind = :kind
        """,
      arguments: ["audio": id, "kind": kind.rawValue]
    ).map { row in
      guard let checksum: Int64 = try row[2],
        let bytes = try row.withUnsafeData(atIndex: 3, { $0.map([UInt8].init) }),
        Int64(CRC32.checksum(bytes)) == checksum
      else { throw StoreError.damagedProduct(library.path, kind: kind, recordingID: id) }
      return try Product(kind: kind, version: row[0], parameters: row[1], bytes: bytes)
    }.next()
  }
}

/// The products and measures of recordings, in the library or its shards.
package struct Products {
  let store: MediaStore
}

extension MediaStore {
  /// Its products.
  package var products: Products { Products(store: self) }
}

extension Products {
  /// The first bytes of a product that the library itself has, unchecked, such as a header that says what the rest is;
  /// nil if there is none.
  package func start(
    of kind: ProductKind, ofRecording id: Int64, byteCount: Int
  ) throws(StoreError) -> [UInt8]? {
    try store.read { db in
      try Data.fetchOne(
        db,
        sql: """
          SELECT substr(product_blob.bytes, 1, :count)
            FROM product JOIN product_blob ON product_blob.product_id = product.id
           WHERE product.audio_id = :audio AND product.kind = :kind
          """,
        arguments: ["audio": id, "kind": kind.rawValue, "count": byteCount]
      ).map([UInt8].init)
    }
  }

  /// nil if a recording was never measured.
  package func measures(ofRecording id: Int64) throws(StoreError) -> Measures? {
    try store.read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM measures WHERE audio_id = ?", arguments: [id])
        .map(MeasureColumns.measures)
    }
  }

  /// Which products of some kinds the library itself has of recordings, as a text that changes when one of them is made again. It
  /// becomes part of the name of what is drawn from them.
  package func marks(of kinds: [ProductKind], ofRecordings ids: [Int64]) throws(StoreError) -> [String] {
    try store.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT kind, version, parameters, made_at FROM product WHERE audio_id = ? ORDER BY kind")
      return try ids.map { id in
        try Row.fetchAll(statement, arguments: [id]).compactMap { row in
          guard let kind = try ProductKind(rawValue: row[0]), kinds.contains(kind) else { return nil }
          let (version, parameters, madeAt): (Int, String, Int64) = try (row[1], row[2], row[3])
          return "\(kind.rawValue) \(version) \(parameters) \(madeAt)"
        }.joined(separator: ";")
      }
    }
  }
}
