internal import Foundation
internal import GRDB
internal import MediaModel

extension ChangeWriter {
  /// The row of a sound. One that is known keeps its format and state unless this extraction decoded it.
  func writeAudio(_ hash: ContentHash, _ extraction: Extraction) throws -> Int64 {
    let hash = Data(hash.bytes)
    let columns =
      extraction.format.arguments + extraction.problem.arguments
      + ["hash": hash, "bytes": extraction.payloadByteCount, "state": extraction.state.rawValue]
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
         SET payload_bytes = coalesce(:bytes, payload_bytes), container = coalesce(:container, container), codec = :codec,
             sample_rate_hz = :sample_rate_hz, channels = :channels, bits = :bits, bitrate_bps = :bitrate_bps,
             declared_frames = :declared_frames, decoded_frames = :decoded_frames, delay_frames = :delay_frames,
             padding_frames = :padding_frames, state = :state, problem_code = :problem_code,
             problem_reason = :problem_reason, problem_position_s = :problem_position_s
       WHERE hash = :hash
      """, columns)
    return id
  }

  /// Stores products and measures; a row that would come out as it is stays untouched, to its time of making.
  ///
  /// - Returns: How many did not.
  @discardableResult
  func writeProducts(_ products: [Product], measures: Measures?, audioID: Int64) throws -> Int {
    var changedCount = 0
    for product in products where product.kind != .measures {
      if try writeProduct(product, audioID: audioID) { changedCount += 1 }
    }
    guard let measures else { return changedCount }
    let recipe = ProductRecipe.current(.measures)
    let made = products.first { $0.kind == .measures }
    try run(
      MeasureColumns.upsert,
      MeasureColumns.arguments(measures) + [
        "audio": audioID, "version": made?.version ?? recipe.version,
        "parameters": made?.parameters ?? recipe.parameters, "now": now,
      ])
    return changedCount + (db.changesCount > 0 ? 1 : 0)
  }

  private func writeProduct(_ product: Product, audioID: Int64) throws -> Bool {
    let bytes = Data(product.bytes)
    let checksum = Int64(CRC32.checksum(product.bytes))
    let columns: StatementArguments = [
      "audio": audioID, "kind": product.kind.rawValue, "version": product.version, "parameters": product.parameters,
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
