internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

extension MergeWriter {
  /// Adds new recordings, and completes those that the other library knows better.
  mutating func mergeRecordings(_ ids: [Int64]) throws {
    for id in ids {
      let row = try rows.first(
        """
        SELECT hash, added_at, decoded_frames, sample_rate_hz, channels, basis, \(recordingColumns.list)
          FROM audio WHERE id = ?
        """, [id])
      guard let row, let hash = try ContentHash(bytes: row[0] as Data) else { continue }
      var isSame = true
      let ownID: Int64
      if let known = try ownRecording(id, hash, basis: row[5]) {
        ownID = known
        let known = try first(
          "SELECT id, added_at, decoded_frames, sample_rate_hz, channels FROM audio WHERE id = ?", [ownID])
        if let known { isSame = try join(row, to: known, hash) }
      } else {
        ownID = try insert(row)
        progress.report.recordings.added += 1
        try inherit(ownID, hash)
      }
      progress.note(recording: id, as: ownID)
      try mergeStreams(of: id, into: ownID)
      guard isSame else { continue }
      try mergeProducts(of: id, hash, into: ownID)
      try mergeMeasures(of: id, into: ownID)
    }
  }

  /// The recording of this library that one of the other library is: by its hash, by a former one, or by a stream.
  ///
  /// If only the other library knows its samples, or the rules of the current version, this one learns its hash.
  private mutating func ownRecording(_ id: Int64, _ hash: ContentHash, basis: String) throws -> Int64? {
    if let known = try RecordingKeys.id(of: hash, db) { return known }
    for current in try FormerHashes.current(of: hash, db) {
      guard let known = try RecordingKeys.id(of: current, db) else { continue }
      try FormerHashes.remember(hash, as: current, db)
      return known
    }
    let former = try rows.all("SELECT hash FROM former_hash WHERE current = ? ORDER BY id", [Data(hash.bytes)])
    for row in former {
      guard let before = try ContentHash(bytes: row[0] as Data), let known = try RecordingKeys.id(of: before, db)
      else { continue }
      // Its stream of version 1 becomes the other library's; another stream of that hash comes as a recording of its own.
      if let stream = try rows.first("SELECT hash, hash_version FROM stream WHERE audio_id = ? ORDER BY id", [id]) {
        try run(
          "UPDATE OR IGNORE stream SET hash = ?, hash_version = ? WHERE audio_id = ? AND hash_version = 1 AND hash = ?",
          [stream[0] as Data, stream[1] as Int, known, Data(before.bytes)])
      }
      return try identities.call(known, hash, basis: basis)
    }
    for stream in try rows.all("SELECT hash FROM stream WHERE audio_id = ? ORDER BY id", [id]) {
      guard let known = try first("SELECT audio_id FROM stream WHERE hash = ?", [stream[0] as Data]) else { continue }
      let ownID: Int64 = try known[0]
      guard basis == "samples" else {
        if let own = try RecordingKeys.hash(of: ownID, db) { try FormerHashes.remember(hash, as: own, db) }
        return ownID
      }
      return try identities.call(ownID, hash, basis: basis)
    }
    return nil
  }

  /// Copies what was decided here about a hash of version 1 to a recording that is one of several with that hash.
  private mutating func inherit(_ ownID: Int64, _ hash: ContentHash) throws {
    for row in try rows.all("SELECT hash FROM former_hash WHERE current = ? ORDER BY id", [Data(hash.bytes)]) {
      guard let former = try ContentHash(bytes: row[0] as Data),
        let first = try FormerHashes.current(of: former, onlyKeys: true, db).first, first != hash
      else { continue }
      _ = try decisions.copyAll(about: first, to: ownID, hash)
      try FormerHashes.remember(former, as: hash, db)
    }
  }

  private func insert(_ row: Row) throws -> Int64 {
    try run(
      "INSERT INTO audio (hash, basis, \(recordingColumns.list)) VALUES (?, ?, \(recordingColumns.parameters))",
      StatementArguments(
        [(row[0] as Data).databaseValue, (row[5] as String).databaseValue] + recordingColumns.values(row, from: 6)))
    return db.lastInsertedRowID
  }

  private func mergeStreams(of id: Int64, into ownID: Int64) throws {
    for row in try rows.all("SELECT id, hash, \(streamColumns.list) FROM stream WHERE audio_id = ? ORDER BY id", [id]) {
      if let known = try first("SELECT id FROM stream WHERE hash = ?", [row[1] as Data]) {
        let known: Int64 = try known[0]
        progress.note(stream: try row[0], as: known)
        // What only the other library could read.
        if let codec = streamColumns.index(of: "codec"), !row.hasNull(atIndex: 2 + codec) {
          try run(
            "UPDATE stream SET \(streamColumns.completions) WHERE id = ? AND codec IS NULL",
            StatementArguments(streamColumns.values(row, from: 2) + [known.databaseValue]))
        }
        continue
      }
      try run(
        "INSERT INTO stream (audio_id, \(streamColumns.list)) VALUES (?, \(streamColumns.parameters))",
        StatementArguments([ownID.databaseValue] + streamColumns.values(row, from: 2)))
      progress.note(stream: try row[0], as: db.lastInsertedRowID)
    }
  }

  /// Copies what was decided there about a hash of version 1 to every recording that has that hash here.
  mutating func shareDecisions() throws {
    try rows.forEach(
      """
      SELECT audio.hash FROM audio JOIN stream ON stream.audio_id = audio.id AND stream.hash = audio.hash
       WHERE stream.hash_version = 1 ORDER BY audio.id
      """
    ) { row in
      guard let former = try ContentHash(bytes: row[0] as Data) else { return }
      let current = try FormerHashes.current(of: former, db)
      guard current.count > 1, let first = current.first else { return }
      for other in current.dropFirst() {
        guard let id = try RecordingKeys.id(of: other, db) else { continue }
        _ = try decisions.copyAll(about: first, to: id, other)
      }
    }
  }

  /// Adds what the recordings of the other library were called before.
  func mergeFormerHashes() throws {
    try rows.forEach("SELECT hash, current, is_key FROM former_hash ORDER BY id") { row in
      guard let former = try ContentHash(bytes: row[0] as Data), let current = try ContentHash(bytes: row[1] as Data)
      else { return }
      let own = try FormerHashes.current(of: current, db).first ?? current
      guard former != own else { return }
      try FormerHashes.remember(former, as: own, isKey: row[2], db)
    }
  }

  /// - Returns: whether both were decoded to the same frames, so that their products can be exchanged.
  private func join(_ row: Row, to known: Row, _ hash: ContentHash) throws -> Bool {
    let id: Int64 = try known[0]
    let isDecoded = !row.hasNull(atIndex: 2)
    if known.hasNull(atIndex: 2), isDecoded {
      try run(
        "UPDATE audio SET \(recordingColumns.assignments) WHERE id = ?",
        StatementArguments(recordingColumns.values(row, from: 6) + [id.databaseValue]))
      try run(
        """
        UPDATE file SET (decoded_frames, duration_s) = (SELECT decoded_frames, duration_s FROM audio WHERE id = ?1)
         WHERE audio_id = ?1 AND decoded_frames IS NULL
        """, [id])
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
    for product in products where try !options.omits(product[1]) {
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
      if let kind = try ProductKind(rawValue: product[1]) {
        try TempoAndKeySQL.update(
          from: Product(kind: kind, version: product[2], parameters: product[3], bytes: [UInt8](bytes)),
          recordingID: ownID, db)
      }
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
    guard !options.omits(ProductKind.measures.rawValue) else { return }
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

extension MergeOptions {
  func omits(_ kind: String) -> Bool { omittedKinds.contains { $0.rawValue == kind } }
}
