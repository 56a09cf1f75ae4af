internal import Base
internal import Foundation
internal import GRDB
internal import MediaModel

extension ChangeWriter {
  mutating func write(_ record: FileRecord) throws {
    let extraction = record.extraction
    let recordingID = try extraction.streamHash.map { try writeRecording($0, extraction) }
    // Must be found out before the row is changed.
    let keepsContent = try keepsContent(record, recordingID: recordingID)
    let fileID = try fileRow(for: record, recordingID: recordingID)
    try writeState(record, recordingID: recordingID, fileID: fileID, keepsContent: keepsContent)
    guard !keepsContent else { return }
    try writeCommonTags(record, fileID: fileID)
    try writeTags(extraction.tags, fileID: fileID)
    try writeArtwork(extraction.artwork, fileID: fileID)
    if let recordingID {
      try writeProducts(extraction.products, measures: extraction.measures, recordingID: recordingID)
    }
  }

  /// Whether a record says nothing about the content, so that the known content stays.
  ///
  /// A file that took too long, and was not written to since it was read, is on a disk that does not answer. A worker
  /// may have crashed because the machine was short of memory, or because of another version of a library.
  private func keepsContent(_ record: FileRecord, recordingID: Int64?) throws -> Bool {
    switch record.extraction.state {
    case .unreadable, .pending, .missing: return recordingID == nil
    case .timeout, .crashed:
      return try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM file WHERE root_id = :root AND path = :path AND size_bytes = :size
                              AND mtime_ns = :mtime AND audio_id IS coalesce(:audio, audio_id))
            """),
        arguments: [
          "root": record.rootID, "path": record.path.data, "size": record.status.byteCount,
          "mtime": record.status.modificationTimeInNanoseconds, "audio": recordingID,
        ]) == true
    case .ok, .damaged, .empty, .unsupported, .oversize: return false
    }
  }

  /// The row of a record, with path and status updated.
  ///
  /// A new file whose recording is known, but in no other file, gets the date of the recording: its folder was removed
  /// and added again, or the file comes back after a `prune`.
  private mutating func fileRow(for record: FileRecord, recordingID: Int64?) throws -> Int64 {
    let place: StatementArguments = ["root": record.rootID, "path": record.path.data]
    var id = try record.movedFrom.flatMap {
      try Int64.fetchOne(db.cachedStatement(sql: "SELECT id FROM file WHERE id = ?"), arguments: [$0])
    }
    if id != nil {
      try dropRow(at: record.path, inRoot: record.rootID, except: id)
    } else {
      id = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM file WHERE root_id = :root AND path = :path"), arguments: place)
    }
    let search = SearchText(record.extraction.tags, path: record.path)
    let columns =
      record.path.arguments + record.status.arguments
      + ["root": record.rootID, "search": search.words, "more": search.more]
    guard let id else {
      try run(
        """
        INSERT INTO file (root_id, path, path_text, name_text, extension, size_bytes, mtime_ns, ctime_ns, inode, device,
                          last_state, attempts, extractor_version, added_at, extracted_at, search_text, search_more)
        VALUES (:root, :path, :text, :name, :extension, :size, :mtime, :ctime, :inode, :device,
                'pending', 0, 0, coalesce((SELECT added_at FROM audio WHERE id = :audio AND file_count = 0), :now),
                :now, :search, :more)
        """, columns + ["audio": recordingID, "now": now])
      return db.lastInsertedRowID
    }
    try run(
      """
      UPDATE file
         SET root_id = :root, path = :path, path_text = :text, name_text = :name, extension = :extension,
             size_bytes = :size, mtime_ns = :mtime, ctime_ns = :ctime, inode = :inode, device = :device,
             missing_since = NULL
       WHERE id = :id
      """, columns + ["id": id])
    return id
  }

  private func writeState(_ record: FileRecord, recordingID: Int64?, fileID: Int64, keepsContent: Bool) throws {
    let extraction = record.extraction
    // `missing` is not a state of content, so a record cannot have it.
    let state = extraction.state == .missing ? FileState.pending : extraction.state
    try run(
      """
      UPDATE file
         SET last_state = :state, problem_code = :problem_code, problem_reason = :problem_reason,
             problem_position_s = :problem_position_s, notes = :notes, attempts = :attempts,
             extractor_version = CASE WHEN :is_once_more AND last_state NOT IN ('timeout', 'crashed') THEN 0
                                      ELSE :version END,
             extracted_at = :now,
             audio_id = CASE WHEN :keeps THEN coalesce(:audio, audio_id) ELSE :audio END
       WHERE id = :id
      """,
      extraction.problem.arguments + [
        "id": fileID, "state": state.rawValue, "notes": try Self.json(extraction.notes), "attempts": record.attempts,
        "version": record.extractorVersion, "now": now, "audio": recordingID, "keeps": keepsContent,
        // A file that could be read before is tried once more, like one that failed in an older version of the program.
        "is_once_more": keepsContent && (state == .timeout || state == .crashed),
      ])
  }

  private static func json(_ notes: [String]) throws -> String? {
    notes.isEmpty ? nil : String(decoding: try JSONEncoder().encode(notes), as: UTF8.self)
  }

  private func writeCommonTags(_ record: FileRecord, fileID: Int64) throws {
    let tags = CommonTags(record.extraction.tags)
    let search = SearchText(record.extraction.tags, path: record.path)
    try run(
      """
      UPDATE file
         SET title = :title, artist = :artist, album = :album, albumartist = :albumartist, genre = :genre,
             composer = :composer, comment = :comment, year = :year, date = :date, track = :track,
             track_total = :track_total, disc = :disc, disc_total = :disc_total, search_text = :search,
             search_more = :more
       WHERE id = :id
      """,
      [
        "id": fileID, "title": tags.title, "artist": tags.artist, "album": tags.album,
        "albumartist": tags.albumArtist, "genre": tags.genre, "composer": tags.composer, "comment": tags.comment,
        "year": tags.year, "date": tags.date, "track": tags.track, "track_total": tags.trackTotal,
        "disc": tags.disc, "disc_total": tags.discTotal,
        "search": search.words, "more": search.more,
      ])
  }

  private mutating func writeTags(_ tags: Tags, fileID: Int64) throws {
    try run("DELETE FROM tag WHERE file_id = :file", ["file": fileID])
    var positions: [String: Int] = [:]
    for property in tags.properties {
      let nameID = try tagNameID(property.name)
      for value in property.values {
        try run(
          "INSERT INTO tag (file_id, name_id, position, value) VALUES (:file, :name, :position, :value)",
          ["file": fileID, "name": nameID, "position": positions[property.name, default: 0], "value": value])
        positions[property.name, default: 0] += 1
      }
    }
  }

  private mutating func tagNameID(_ name: String) throws -> Int64 {
    if let known = tagNameIDs[name] { return known }
    try run("INSERT INTO tag_name (name) VALUES (:name) ON CONFLICT DO NOTHING", ["name": name])
    let id = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM tag_name WHERE name = ?"), arguments: [name])
    guard let id else { throw DatabaseError(message: "a tag's name was not stored") }
    tagNameIDs[name] = id
    return id
  }
}

// MARK: - Recordings

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
