internal import Base
internal import Foundation
internal import GRDB
internal import MediaModel

extension MergeWriter {
  /// Adds new recordings, and completes those that the other library knows better.
  func mergeRecordings(_ ids: [Int64]) throws {
    for id in ids {
      let row = try rows.first(
        """
        SELECT hash, added_at, decoded_frames, sample_rate_hz, channels, \(recordingColumns.list)
          FROM audio WHERE id = ?
        """, [id])
      guard let row, let hash = try ContentHash(bytes: row[0] as Data) else { continue }
      let known = try first(
        "SELECT id, added_at, decoded_frames, sample_rate_hz, channels FROM audio WHERE hash = ?", [row[0] as Data])
      let ownID: Int64
      if let known {
        ownID = try known[0]
        guard try join(row, to: known, hash) else {
          progress.recordingIDs[id] = ownID
          continue
        }
      } else {
        ownID = try insert(row)
        progress.report.recordings.added += 1
      }
      progress.recordingIDs[id] = ownID
      try mergeProducts(of: id, hash, into: ownID)
      try mergeMeasures(of: id, into: ownID)
    }
  }

  private func insert(_ row: Row) throws -> Int64 {
    try run(
      "INSERT INTO audio (\(recordingColumns.list)) VALUES (\(recordingColumns.parameters))",
      StatementArguments(recordingColumns.values(row, from: 5)))
    return db.lastInsertedRowID
  }

  /// - Returns: whether both were decoded to the same frames, so that their products can be exchanged.
  private func join(_ row: Row, to known: Row, _ hash: ContentHash) throws -> Bool {
    let id: Int64 = try known[0]
    let isDecoded = !row.hasNull(atIndex: 2)
    if known.hasNull(atIndex: 2), isDecoded {
      try run(
        "UPDATE audio SET \(recordingColumns.assignments) WHERE id = ?",
        StatementArguments(recordingColumns.values(row, from: 5) + [id.databaseValue]))
      progress.report.recordings.replaced += 1
    } else if try isDecoded && (2..<5).contains(where: { try row[$0] as DatabaseValue != known[$0] }) {
      progress.report.recordings.different += 1
      progress.report.conflicts.append(.recording(hash))
      return false
    } else {
      progress.report.recordings.same += 1
    }
    let added: Int64 = try min(row[1], known[1])
    try run("UPDATE audio SET added_at = ? WHERE id = ? AND added_at <> ?", [added, id, added])
    return true
  }

  // MARK: - Products

  private func mergeProducts(of id: Int64, _ hash: ContentHash, into ownID: Int64) throws {
    let products = try rows.all(
      "SELECT id, kind, version, parameters, byte_count, made_at FROM product WHERE audio_id = ? ORDER BY kind", [id])
    for product in products {
      let known = try first(
        """
        SELECT version, parameters, EXISTS (SELECT 1 FROM product_blob WHERE product_id = product.id)
          FROM product WHERE audio_id = ? AND kind = ?
        """, [ownID, product[1] as String])
      if let known, try known[2],
        try !Self.isBetter(kind: product[1], (product[2], product[3]), than: (known[0], known[1]))
      {
        progress.report.products.same += 1
        continue
      }
      let blob = try rows.first("SELECT checksum, bytes FROM product_blob WHERE product_id = ?", [product[0] as Int64])
      guard let blob, let bytes: Data = try blob[1], try bytes.count == product[4],
        try Int64(CRC32.checksum([UInt8](bytes))) == blob[0]
      else {
        try progress.report.damaged.append(.init(recording: hash, kind: product[1]))
        continue
      }
      try write(product, bytes, checksum: blob[0], of: ownID)
      if known == nil { progress.report.products.added += 1 } else { progress.report.products.replaced += 1 }
    }
  }

  /// Whether a product is better than the one of this library.
  private static func isBetter(kind: String, _ other: (Int, String), than own: (Int, String)) -> Bool {
    guard let kind = ProductKind(rawValue: kind) else { return other.0 > own.0 }
    return ProductRecipe.current(kind).prefers(version: other.0, parameters: other.1, to: own)
  }

  private func write(_ product: Row, _ bytes: Data, checksum: Int64, of ownID: Int64) throws {
    let id = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          INSERT INTO product (audio_id, kind, version, parameters, byte_count, made_at) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (audio_id, kind) DO UPDATE
             SET version = excluded.version, parameters = excluded.parameters, byte_count = excluded.byte_count,
                 made_at = excluded.made_at
          RETURNING id
          """),
      arguments: [
        ownID, product[1] as String, product[2] as Int, product[3] as String, product[4] as Int, product[5] as Int64,
      ])
    try run(
      "INSERT OR REPLACE INTO product_blob (product_id, checksum, bytes) VALUES (?, ?, ?)",
      [id, checksum, options.isDryRun ? Data() : bytes])
  }

  private func mergeMeasures(of id: Int64, into ownID: Int64) throws {
    let columns = measureColumns
    guard
      let row = try rows.first("SELECT version, parameters, \(columns.list) FROM measures WHERE audio_id = ?", [id])
    else { return }
    let known = try first("SELECT version, parameters FROM measures WHERE audio_id = ?", [ownID])
    if let known, try !Self.isBetter(kind: ProductKind.measures.rawValue, (row[0], row[1]), than: (known[0], known[1]))
    {
      progress.report.products.same += 1
      return
    }
    // Not with REPLACE, which would not run the triggers that maintain the sums.
    if known != nil { try run("DELETE FROM measures WHERE audio_id = ?", [ownID]) }
    try run(
      "INSERT INTO measures (audio_id, \(columns.list)) VALUES (?, \(columns.parameters))",
      StatementArguments([ownID.databaseValue] + columns.values(row, from: 2)))
    if known == nil { progress.report.products.added += 1 } else { progress.report.products.replaced += 1 }
  }
}
