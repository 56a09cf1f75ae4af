internal import Foundation
internal import GRDB
internal import MediaModel

extension LibraryCheck {
  /// What is wrong and can be made anew from the music or from other rows: no reason to give up a copy that has it.
  ///
  /// Reads all products. Nothing for libraries of older schemas, which have other tables.
  static func mendableProblems(_ db: Database) throws -> [String] {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Migrations.currentVersion else { return [] }
    let count = try damagedProductCount(db)
    let products =
      switch count {
      case 0: [String]()
      case 1: ["1 stored product is damaged; `deadwax scan --deep` makes it anew"]
      default: ["\(count) stored products are damaged; `deadwax scan --deep` makes them anew"]
      }
    return try products
      + KeptSums.wrongTables(db).map { "\($0); `deadwax doctor --repair -o FILE` writes a library with right sums" }
  }

  /// Products whose bytes are not what was written.
  static func damagedProductCount(_ db: Database) throws -> Int {
    let rows = try Row.fetchCursor(db, sql: "SELECT checksum, bytes FROM product_blob")
    var count = 0
    while let row = try rows.next() {
      let isWhole = try row.withUnsafeData(atIndex: 1) { data in
        try Int64(CRC32.checksum([UInt8](data ?? Data()))) == row[0]
      }
      if !isWhole { count += 1 }
    }
    return count
  }
}
