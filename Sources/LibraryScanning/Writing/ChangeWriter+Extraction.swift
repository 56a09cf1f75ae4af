internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import UserData

extension ChangeWriter {
  mutating func write(_ record: FileRecord) throws {
    let record = try keepingVerdict(record)
    let extraction = record.extraction
    let names = CommonTags(extraction.tags)
    identities.fileLabel =
      names.title.map { title in [names.artist, title].compactMap { $0 }.joined(separator: " - ") }
      ?? record.path.lastComponent.displayString
    identities.fileID =
      try record.movedFrom
      ?? Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM file WHERE root_id = :root AND path = :path"),
        arguments: ["root": record.rootID, "path": record.path.data])
    let place = try extraction.stream.map { try writeRecording($0, extraction) }
    let recordingID = place?.recordingID
    // Must be found out before the row is changed.
    let keepsContent = try keepsContent(record, recordingID: recordingID)
    try noteReplacement(record, by: recordingID)
    let fileID = try fileRow(for: record, recordingID: recordingID)
    try writeState(record, place, fileID: fileID, keepsContent: keepsContent)
    guard !keepsContent else { return }
    try writeFormat(extraction, fileID: fileID)
    try noteArtists(extraction.tags, fileID: fileID)
    try writeCommonTags(record, fileID: fileID)
    try writeTags(extraction.tags, fileID: fileID)
    try writeArtwork(extraction.artwork, fileID: fileID)
    try writeParts(extraction.parts, fileID: fileID)
    if let recordingID {
      try writeProducts(extraction.products, measures: extraction.measures, recordingID: recordingID)
    }
  }

  /// The record with the stored problem if only a comparison of checksums can find it, none was made now, and the file was
  /// not written to.
  private func keepingVerdict(_ record: FileRecord) throws -> FileRecord {
    let extraction = record.extraction
    guard extraction.state == .ok, !extraction.isChecked, let stream = extraction.stream else { return record }
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT problem_code, problem_reason, problem_position_s
            FROM file JOIN stream ON stream.id = file.stream_id
           WHERE root_id = :root AND path = :path AND size_bytes = :size AND mtime_ns = :mtime
             AND problem_code = 'checksum' AND stream.hash = :hash
          """),
      arguments: [
        "root": record.rootID, "path": record.path.data, "size": record.status.byteCount,
        "mtime": record.status.modificationTimeInNanoseconds, "hash": Data(stream.hash.bytes),
      ])
    guard let row else { return record }
    var result = record
    result.extraction.state = .damaged
    result.extraction.problem = try Problem(row: row)
    return result
  }

  /// Whether a record says nothing about the content, so that the known content stays.
  ///
  /// A file that took too long, and was not written to since it was read, is on a disk that does not answer. A worker
  /// may have crashed because the machine was short of memory, or because of another version of a library.
  private func keepsContent(_ record: FileRecord, recordingID: Int64?) throws -> Bool {
    if record.keepsContent { return true }
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

  /// Remembers that a file does not hold any more what users decided something about.
  private mutating func noteReplacement(_ record: FileRecord, by recordingID: Int64?) throws {
    guard record.movedFrom == nil, let recordingID,
      let known = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT audio_id FROM file WHERE root_id = :root AND path = :path"),
        arguments: ["root": record.rootID, "path": record.path.data]),
      known != recordingID, try DecisionWriter(db, now: now).isDecided(known),
      let former = try RecordingKeys.hash(of: known, db)
    else { return }
    // One of several streams that shared a hash: what was decided was copied.
    for (shared, _) in record.extraction.stream?.formerHashes ?? [] {
      if try shared == former || FormerHashes.current(of: shared, db).contains(former) { return }
    }
    let root = try Data.fetchOne(
      db.cachedStatement(sql: "SELECT path FROM root WHERE id = ?"), arguments: [record.rootID])
    identities.note(.replaced(path: BytePath(root ?? Data()).appending(record.path), former: former))
  }

  private func writeState(
    _ record: FileRecord, _ place: IdentityWriter.Place?, fileID: Int64, keepsContent: Bool
  ) throws {
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
             audio_id = CASE WHEN :keeps THEN coalesce(:audio, audio_id) ELSE :audio END,
             stream_id = CASE WHEN :keeps THEN coalesce(:stream, stream_id) ELSE :stream END,
             verified_at = CASE WHEN :verified IS NULL AND (:keeps OR stream_id = :stream) THEN verified_at
                                ELSE :verified END
       WHERE id = :id
      """,
      extraction.problem.arguments + [
        "id": fileID, "state": state.rawValue, "notes": try Self.json(extraction.notes), "attempts": record.attempts,
        "version": record.extractorVersion, "now": now, "audio": place?.recordingID, "stream": place?.streamID,
        "keeps": keepsContent, "verified": record.verifiedAt,
        // A file that could be read before is tried once more, like one that failed in an older version of the program.
        "is_once_more": keepsContent && (state == .timeout || state == .crashed),
      ])
  }

  /// What the file itself says about its stream. Its length is known if it was decoded, if it states it, or from the
  /// decode of another file with its stream.
  private func writeFormat(_ extraction: Extraction, fileID: Int64) throws {
    let format = extraction.format
    let decoded = format?.decodedFrameCount
    try run(
      """
      UPDATE file
         SET container = :container, declared_frames = :declared_frames, delay_frames = :delay_frames,
             padding_frames = :padding_frames, decoded_frames = :decoded_frames,
             duration_s = CAST(:decoded_frames AS REAL) / nullif(:sample_rate_hz, 0), statement = :statement
       WHERE id = :id
      """,
      [
        "id": fileID, "container": format?.container.rawValue, "declared_frames": format?.declaredFrameCount,
        "delay_frames": format?.delayFrameCount, "padding_frames": format?.paddingFrameCount,
        "decoded_frames": decoded, "sample_rate_hz": format?.sampleRateInHz,
        "statement": extraction.stream?.declaration.description,
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
             track_total = :track_total, disc = :disc, disc_total = :disc_total, tag_bpm = :bpm, tag_key = :key,
             search_text = :search, search_more = :more
       WHERE id = :id
      """,
      [
        "id": fileID, "title": tags.title, "artist": tags.artist, "album": tags.album,
        "albumartist": tags.albumArtist, "genre": tags.genre, "composer": tags.composer, "comment": tags.comment,
        "year": tags.year, "date": tags.date, "track": tags.track, "track_total": tags.trackTotal,
        "disc": tags.disc, "disc_total": tags.discTotal, "bpm": tags.beatsPerMinute, "key": tags.key?.number,
        "search": search.words, "more": search.more,
      ])
  }

  /// Writes what the file says; corrections are laid over it when the transaction ends.
  private mutating func writeTags(_ tags: Tags, fileID: Int64) throws {
    try run("DELETE FROM own_tag WHERE file_id = :file", ["file": fileID])
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
  /// Writes the rows of a stream and its recording. A known recording keeps its format and state unless this extraction
  /// decoded it.
  mutating func writeRecording(_ identity: StreamIdentity, _ extraction: Extraction) throws -> IdentityWriter.Place {
    let format = extraction.format
    let decoded = format?.decodedFrameCount == nil ? nil : extraction.decoded
    let place = try identities.place(identity, sampleHash: decoded?.sampleHash)
    try run(
      """
      UPDATE stream
         SET codec = coalesce(:codec, codec), bits = coalesce(:bits, bits),
             bitrate_bps = CASE WHEN :is_decoded OR bitrate_bps IS NULL THEN :bitrate ELSE bitrate_bps END
       WHERE id = :id
      """,
      [
        "id": place.streamID, "codec": format?.codec?.rawValue, "bits": format?.bitsPerSample,
        "bitrate": format?.bitRateInBitsPerSecond, "is_decoded": decoded != nil,
      ])
    let isDecoded = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT decoded_frames IS NOT NULL FROM audio WHERE id = ?"),
      arguments: [place.recordingID])
    guard isDecoded != true || decoded != nil else { return place }
    if isDecoded == true, decoded?.sampleHash != nil, try isOutranked(identity.declaration, of: place.recordingID) {
      return place
    }
    // Without a decode the state is that of the only file that is known.
    let problem = decoded == nil ? extraction.problem : decoded?.problem
    let state: FileState =
      decoded == nil
      ? extraction.state : problem != nil ? .damaged : format?.decodedFrameCount == 0 ? .empty : .ok
    try run(
      """
      UPDATE audio
         SET sample_rate_hz = :sample_rate_hz, channels = :channels, decoded_frames = :decoded_frames,
             delay_frames = :delay_frames, padding_frames = :padding_frames, state = :state,
             problem_code = :problem_code, problem_reason = :problem_reason, problem_position_s = :problem_position_s,
             statement = :statement
       WHERE id = :id
      """,
      problem.arguments + [
        "id": place.recordingID, "state": state.rawValue, "sample_rate_hz": format?.sampleRateInHz,
        "channels": format?.channelCount, "decoded_frames": decoded == nil ? nil : format?.decodedFrameCount,
        "delay_frames": format?.delayFrameCount, "padding_frames": format?.paddingFrameCount,
        "statement": decoded == nil ? nil : identity.declaration.description,
      ])
    return place
  }

  /// Whether another file of a recording makes a greater declaration about its stream, by which the recording was described. Files
  /// of different streams with the same samples are all decoded, in whatever order.
  private func isOutranked(_ declaration: StreamDeclaration, of recordingID: Int64) throws -> Bool {
    let text = try String.fetchOne(
      db.cachedStatement(sql: "SELECT statement FROM audio WHERE id = ? AND state = 'ok'"), arguments: [recordingID])
    guard let text, let known = StreamDeclaration(text), known > declaration else { return false }
    return try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM file
                          WHERE audio_id = ? AND statement = ? AND id IS NOT ? AND missing_since IS NULL)
          """),
      arguments: [recordingID, text, identities.fileID]) ?? false
  }

  /// Stores products and measures. A row that would not change is not written, so it keeps its time.
  ///
  /// - Returns: the number of rows that changed.
  @discardableResult
  func writeProducts(_ products: [Product], measures: Measures?, recordingID: Int64) throws -> Int {
    var changedCount = 0
    for product in products where product.kind != .measures {
      if try writeProduct(product, recordingID: recordingID) { changedCount += 1 }
      try TempoAndKeySQL.update(from: product, recordingID: recordingID, db)
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
