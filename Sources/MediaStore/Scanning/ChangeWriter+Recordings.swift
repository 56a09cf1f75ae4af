internal import Base
internal import Foundation
internal import GRDB
internal import MediaModel

extension ChangeWriter {
  /// Writes the row of a recording. A known one keeps its format and state unless this extraction decoded it.
  func writeRecording(_ hash: ContentHash, _ extraction: Extraction) throws -> Int64 {
    let hash = Data(hash.bytes)
    let columns =
      extraction.format.arguments + extraction.problem.arguments
      + ["hash": hash, "bytes": extraction.streamByteCount, "state": extraction.state.rawValue]
    let known = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT id, decoded_frames IS NOT NULL FROM audio WHERE hash = ?"), arguments: [hash])
    guard let known else {
      try run(
        """
        INSERT INTO audio (hash, payload_bytes, container, codec, sample_rate_hz, channels, bits, bitrate_bps,
                           declared_frames, decoded_frames, delay_frames, padding_frames, state, problem_code,
                           problem_reason, problem_position_s, added_at)
        VALUES (:hash, :bytes, :container, :codec, :sample_rate_hz, :channels, :bits, :bitrate_bps, :declared_frames,
                :decoded_frames, :delay_frames, :padding_frames, :state, :problem_code, :problem_reason,
                :problem_position_s, :now)
        """, columns + ["now": now])
      return db.lastInsertedRowID
    }
    let id: Int64 = try known[0]
    let wasDecoded: Bool = try known[1]
    guard !wasDecoded || extraction.format?.decodedFrameCount != nil else { return id }
    try run(
      """
      UPDATE audio
         SET payload_bytes = coalesce(:bytes, payload_bytes), container = coalesce(:container, container),
             codec = :codec, sample_rate_hz = :sample_rate_hz,
             channels = :channels, bits = :bits, bitrate_bps = :bitrate_bps,
             declared_frames = :declared_frames, decoded_frames = :decoded_frames, delay_frames = :delay_frames,
             padding_frames = :padding_frames, state = :state, problem_code = :problem_code,
             problem_reason = :problem_reason, problem_position_s = :problem_position_s
       WHERE hash = :hash
      """, columns)
    return id
  }

  /// Stores products and measures. A row that would not change is not written, so it keeps its time.
  ///
  /// - Returns: the number of rows that changed.
  @discardableResult
  func writeProducts(_ products: [Product], measures: Measures?, recordingID: Int64) throws -> Int {
    var changedCount = 0
    for product in products where product.kind != .measures {
      if try writeProduct(product, recordingID: recordingID) { changedCount += 1 }
    }
    guard let measures else { return changedCount }
    let recipe = ProductRecipe.current(.measures)
    let made = products.first { $0.kind == .measures }
    try run(
      MeasureColumns.upsert,
      MeasureColumns.arguments(measures) + [
        "audio": recordingID, "version": made?.version ?? recipe.version,
        "parameters": made?.parameters ?? recipe.parameters, "now": now,
      ])
    return changedCount + (db.changesCount > 0 ? 1 : 0)
  }

  private func writeProduct(_ product: Product, recordingID: Int64) throws -> Bool {
    let bytes = Data(product.bytes)
    let checksum = Int64(CRC32.checksum(product.bytes))
    let columns: StatementArguments = [
      "audio": recordingID, "kind": product.kind.rawValue, "version": product.version, "parameters": product.parameters,
      "count": bytes.count,
    ]
    // The bytes themselves are compared, so that damaged ones are replaced.
    let isAsItWas = try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM product JOIN product_blob ON product_id = product.id
                          WHERE audio_id = :audio AND kind = :kind AND version = :version AND parameters = :parameters
                            AND byte_count = :count AND checksum = :checksum AND bytes = :bytes)
          """), arguments: columns + ["checksum": checksum, "bytes": bytes])
    if isAsItWas == true { return false }
    let id = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          INSERT INTO product (audio_id, kind, version, parameters, byte_count, made_at)
          VALUES (:audio, :kind, :version, :parameters, :count, :now)
          ON CONFLICT (audio_id, kind) DO UPDATE
             SET version = excluded.version, parameters = excluded.parameters, byte_count = excluded.byte_count,
                 made_at = excluded.made_at
          RETURNING id
          """),
      arguments: columns + ["now": now])
    try run(
      "INSERT OR REPLACE INTO product_blob (product_id, checksum, bytes) VALUES (:id, :checksum, :bytes)",
      ["id": id, "checksum": checksum, "bytes": bytes])
    return true
  }
}

extension ChangeWriter {
  mutating func writeArtwork(_ pictures: [Artwork], fileID: Int64) throws {
    try collectArtwork(ofFile: fileID)
    try run("DELETE FROM file_artwork WHERE file_id = :file", ["file": fileID])
    for (position, picture) in pictures.enumerated() {
      try run(
        "INSERT INTO file_artwork VALUES (:file, :position, :artwork, :type, :caption)",
        [
          "file": fileID, "position": position, "artwork": try artworkID(picture), "type": picture.pictureType,
          "caption": picture.caption,
        ])
    }
  }

  private func artworkID(_ picture: Artwork) throws -> Int64 {
    let hash = Data(picture.hash.bytes)
    let known = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM artwork WHERE hash = ?"), arguments: [hash])
    if let known { return known }
    try run(
      "INSERT INTO artwork (hash, mime_type, bytes) VALUES (:hash, :type, :bytes)",
      ["hash": hash, "type": picture.mimeType, "bytes": Data(picture.bytes)])
    return db.lastInsertedRowID
  }

  /// Remembers the pictures that a file is about to lose.
  mutating func collectArtwork(ofFile fileID: Int64) throws {
    looseArtworkIDs.formUnion(
      try Int64.fetchAll(
        db.cachedStatement(sql: "SELECT artwork_id FROM file_artwork WHERE file_id = ?"), arguments: [fileID]))
  }

  /// Deletes those of them that no file has any more.
  func dropLooseArtwork() throws {
    for id in looseArtworkIDs {
      try run(
        """
        DELETE FROM artwork
         WHERE id = :id AND NOT EXISTS (SELECT 1 FROM file_artwork WHERE artwork_id = :id)
        """, ["id": id])
    }
  }
}
