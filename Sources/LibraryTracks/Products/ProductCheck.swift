internal import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel

/// Compares the bytes of products with their checksums.
package enum ProductCheck {
  /// Counts the products whose bytes are not those that were written.
  package static func damagedProductCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchCursor(db, sql: "SELECT checksum, bytes FROM product_blob")
    var count = 0
    while let row = try rows.next() {
      if try !isWhole(row) { count += 1 }
    }
    return count
  }

  /// The kinds among `kinds` whose stored bytes are missing or not those that were written.
  package static func damagedKinds(
    among kinds: Set<ProductKind>, ofRecording id: Int64, _ db: Database
  ) throws -> Set<ProductKind> {
    let statement = try db.cachedStatement(
      sql: """
        SELECT checksum, bytes FROM product LEFT JOIN product_blob ON product_id = product.id
         WHERE audio_id = ? AND kind = ?
        """)
    return try kinds.filter { kind in
      let rows = try Row.fetchCursor(statement, arguments: [id, kind.rawValue])
      return try rows.next().map { try !isWhole($0) } ?? false
    }
  }

  /// - Parameter row: A checksum, then the bytes; NULL if there are none.
  private static func isWhole(_ row: Row) throws -> Bool {
    guard let checksum: Int64 = try row[0] else { return false }
    return try row.withUnsafeData(atIndex: 1) { Int64(CRC32.checksum([UInt8]($0 ?? Data()))) == checksum }
  }
}
