internal import Foundation
internal import GRDB
internal import MediaModel

extension MediaStore {
  /// Checks the whole library; reads all of its file.
  ///
  /// - Parameter isDeep: whether to compare the bytes of every product with their checksum too.
  package func check(isDeep: Bool = false) throws(StoreError) -> LibraryCheck {
    let integrity = try integrityProblems()
    return try read { db in
      LibraryCheck(
        integrityProblems: integrity,
        danglingReferences: try Row.fetchAll(
          db, sql: "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1"
        ).map { "\($0[0] as String): \($0[1] as Int)" },
        orphanCount: try Self.orphanCount(db),
        artworkWithoutFileCount: try Self.count(
          db, "FROM artwork WHERE NOT EXISTS (SELECT 1 FROM file_artwork WHERE artwork_id = artwork.id)"),
        productsWithoutBytesCount: try Self.count(
          db,
          "FROM product WHERE NOT EXISTS (SELECT 1 FROM product_blob WHERE product_id = product.id)"),
        staleProductCount: try Self.staleCount(db),
        damagedProductCount: isDeep ? try Self.damagedCount(db) : nil)
    }
  }

  /// What SQLite finds wrong, and sums that are not what a count gives.
  func integrityProblems() throws(StoreError) -> [String] {
    do {
      let lines = try read { try String.fetchAll($0, sql: "PRAGMA integrity_check(100)") }
      guard lines == ["ok"] else { return lines.flatMap { $0.split(separator: "\n").map(String.init) } }
      return try read(Self.wrongSums)
    } catch .corrupt(_, let reason) {
      return [reason]
    }
  }

  /// Sums that triggers keep and that are not what a count gives.
  private static func wrongSums(_ db: Database) throws -> [String] {
    let counts = [
      ("file_tally", "SELECT root_id, state, count(*), sum(size_bytes) FROM file GROUP BY root_id, state"),
      (
        "product_tally",
        """
        SELECT kind, version, parameters, count(*), sum(byte_count) FROM product GROUP BY 1, 2, 3
        UNION ALL SELECT 'measures', version, parameters, count(*), 0 FROM measures GROUP BY 2, 3
        """
      ),
      (
        "audio_tally",
        """
        SELECT CASE WHEN present_count > 0 THEN 'present' WHEN file_count > 0 THEN 'missing' ELSE 'none' END,
               coalesce(sample_rate_hz, 0), count(*), coalesce(sum(decoded_frames), 0)
          FROM audio GROUP BY 1, 2
        """
      ),
    ]
    return try counts.compactMap { name, counted in
      let isRight = try Bool.fetchOne(
        db,
        sql: """
          SELECT NOT EXISTS (SELECT * FROM \(name) EXCEPT SELECT * FROM (\(counted)))
             AND NOT EXISTS (SELECT * FROM (\(counted)) EXCEPT SELECT * FROM \(name))
          """)
      return isRight == true ? nil : "\(name) is not what a count gives"
    }
  }

  private static func count(_ db: Database, _ source: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) " + source) ?? 0
  }

  private static func staleCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT kind, version, parameters, count(*) FROM product GROUP BY 1, 2, 3
        UNION ALL SELECT 'measures', version, parameters, count(*) FROM measures GROUP BY 2, 3
        """)
    return rows.reduce(0) { sum, row in
      let isCurrent = ProductKind(rawValue: row[0])
        .map { ProductRecipe.current($0).accepts(version: row[1], parameters: row[2]) }
      return sum + (isCurrent ?? false ? 0 : row[3])
    }
  }

  private static func damagedCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchCursor(db, sql: "SELECT checksum, bytes FROM product_blob")
    var count = 0
    while let row = try rows.next() {
      let isWhole = try row.withUnsafeData(atIndex: 1) { data in
        Int64(CRC32.checksum([UInt8](data ?? Data()))) == row[0]
      }
      if !isWhole { count += 1 }
    }
    return count
  }
}
