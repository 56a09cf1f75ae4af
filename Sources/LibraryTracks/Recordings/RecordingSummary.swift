internal import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// What the library has of a recording, so that nothing is computed twice.
package struct RecordingSummary: Hashable, Sendable {
  package var id: Int64
  package var hash: ContentHash
  /// The state of the decoding.
  package var state: FileState
  package var problem: Problem?
  package var format: MediaFormat?
  /// Whether ``hash`` is that of the samples, which several streams may have; otherwise it is that of the only stream.
  package var isKnownBySamples: Bool
  /// In ascending order of kind, including ``ProductKind/measures``, whose byte count is 0.
  package var products: [StoredProduct]
}

/// The recordings of a library and the streams that hold them.
package struct Recordings {
  let store: MediaStore
}

extension MediaStore {
  /// Its recordings.
  package var recordings: Recordings { Recordings(store: self) }
}

extension Recordings {
  /// A recording by its hash, or by one that it had before; nil if it is unknown.
  package func recording(hash: ContentHash) throws(StoreError) -> RecordingSummary? {
    try store.read { db in
      let hashes = try [hash] + FormerHashes.current(of: hash, db)
      for hash in hashes {
        let row = try Row.fetchOne(
          db.cachedStatement(sql: "SELECT * FROM audio WHERE hash = ?"), arguments: [Data(hash.bytes)])
        if let row { return try Self.summary(of: row, format: .ofFirstFile, in: db) }
      }
      return nil
    }
  }

  /// - Parameter fileID: the file whose container and codec are wanted; nil for the first one that is there.
  package func recording(id: Int64, preferringFile fileID: Int64? = nil) throws(StoreError) -> RecordingSummary? {
    try store.read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT * FROM audio WHERE id = ?", arguments: [id]) else { return nil }
      return try Self.summary(of: row, format: fileID.map { .ofFile($0) } ?? .ofFirstFile, in: db)
    }
  }

  /// Where container and codec of a recording come from, which its files may differ in.
  package enum FormatSource {
    /// The first file that is there, or the first stream if there is no file.
    case ofFirstFile
    case ofFile(Int64)
  }

  /// - Parameters:
  ///   - row: all columns of `audio`.
  ///   - format: nil if only what the recording itself has is wanted.
  package static func summary(of row: Row, format source: FormatSource?, in db: Database) throws -> RecordingSummary? {
    guard let hash = try ContentHash(bytes: row["hash"] as Data) else { return nil }
    let id: Int64 = try row["id"]
    let products = try StoredProduct.fetchAll(ofRecording: id, db)
    var format: MediaFormat?
    if let source { format = try Self.format(ofRecording: id, source, db) }
    if format == nil, let rate: Int = try row["sample_rate_hz"] {
      format = MediaFormat(container: Container(rawValue: ""), sampleRateInHz: rate)
    }
    format?.sampleRateInHz = try row["sample_rate_hz"]
    format?.channelCount = try row["channels"]
    format?.decodedFrameCount = try row.frameCount("decoded_frames")
    format?.delayFrameCount = try row["delay_frames"]
    format?.paddingFrameCount = try row["padding_frames"]
    return try RecordingSummary(
      id: id, hash: hash, state: FileState(rawValue: row["state"]) ?? .damaged, problem: Problem(row: row),
      format: format, isKnownBySamples: row["basis"] == "samples", products: products)
  }

  private static func format(ofRecording id: Int64, _ source: FormatSource, _ db: Database) throws -> MediaFormat? {
    var wanted: Int64?
    if case .ofFile(let file) = source { wanted = file }
    return try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT file.container, stream.codec, audio.sample_rate_hz, audio.channels, stream.bits, stream.bitrate_bps,
                 CASE WHEN file.statement IS audio.statement THEN file.declared_frames END AS declared_frames,
                 file.decoded_frames, file.delay_frames, file.padding_frames
            FROM audio
            LEFT JOIN file ON file.audio_id = audio.id
            LEFT JOIN stream ON stream.id = coalesce(file.stream_id, (SELECT min(id) FROM stream WHERE audio_id = :audio))
            LEFT JOIN root ON root.id = file.root_id
           WHERE audio.id = :audio
           ORDER BY file.id IS NOT :file, file.missing_since IS NOT NULL, root.path, file.path, file.id
           LIMIT 1
          """), arguments: ["audio": id, "file": wanted]
    ).flatMap { try MediaFormat(row: $0) }
  }

  /// The recording of a file; nil if it has none.
  package func id(ofFile id: Int64) throws(StoreError) -> Int64? {
    try store.read { db in
      try Int64.fetchOne(db.cachedStatement(sql: "SELECT audio_id FROM file WHERE id = ?"), arguments: [id])
    }
  }

  /// nil if there is no such recording.
  package func hash(of id: Int64) throws(StoreError) -> ContentHash? {
    try store.read { db in
      try Data.fetchOne(db, sql: "SELECT hash FROM audio WHERE id = ?", arguments: [id])
        .flatMap { ContentHash(bytes: $0) }
    }
  }

  /// The recordings that have these hashes now or had them before.
  package func ids(of hashes: [ContentHash]) throws(StoreError) -> [ContentHash: Int64] {
    try store.read { db in
      var found: [ContentHash: Int64] = [:]
      let statement = try db.cachedStatement(sql: "SELECT id FROM audio WHERE hash = ?")
      for hash in hashes {
        found[hash] = try Int64.fetchOne(statement, arguments: [Data(hash.bytes)])
      }
      return found
    }
  }

  /// How many recordings have no product of a kind, or one that is not current, although a file is there of which it could be
  /// made.
  ///
  /// - Complexity: O(files).
  package func lackingCount(_ kind: ProductKind) throws(StoreError) -> (missing: Int, stale: Int) {
    try store.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT version, parameters, count(*)
            FROM (SELECT DISTINCT audio_id FROM file
                   WHERE audio_id IS NOT NULL AND state IN ('ok', 'damaged', 'pending')) AS present
            LEFT JOIN product ON product.audio_id = present.audio_id AND kind = ?
           GROUP BY version, parameters
          """, arguments: [kind.rawValue])
      var (missing, stale) = (0, 0)
      for row in rows {
        let version: Int? = try row[0]
        guard try !ProductRecipe.current(kind).accepts(version: version, parameters: row[1]) else { continue }
        if version == nil { missing += try row[2] } else { stale += try row[2] }
      }
      return (missing, stale)
    }
  }
}
