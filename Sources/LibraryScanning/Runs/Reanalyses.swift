internal import Foundation
internal import Glibc
internal import LibraryDatabase
internal import LibraryQueries
package import LibraryTracks
package import MediaModel
package import MediaStore
package import QueryLanguage
internal import UserData

/// What a reanalysis needs to know of a recording to decide what to recompute.
package struct RecordingOutline: Hashable, Sendable {
  package var id: Int64
  package var hash: ContentHash
  /// nil if it was never decoded.
  package var decodedFrameCount: Int64?
  package var durationInSeconds: Double
  package var channelCount: Int?
  package var streamByteCount: Int64
  /// What is stored, including ``ProductKind/measures``.
  package var products: [ProductKind: StoredProduct]
  /// Products whose bytes are not those that were written; empty if they were not checked.
  package var damagedKinds: Set<ProductKind> = []
  /// Whether the recording should be known by its samples, but was not decoded since this is done.
  package var lacksSampleHash: Bool

  package init(
    id: Int64, hash: ContentHash, decodedFrameCount: Int64?, durationInSeconds: Double = 0, channelCount: Int? = nil,
    streamByteCount: Int64 = 0, products: [ProductKind: StoredProduct] = [:], lacksSampleHash: Bool = false
  ) {
    self.id = id
    self.hash = hash
    self.decodedFrameCount = decodedFrameCount
    self.durationInSeconds = durationInSeconds
    self.channelCount = channelCount
    self.streamByteCount = streamByteCount
    self.products = products
    self.lacksSampleHash = lacksSampleHash
  }
}

/// The recomputed products of a recording.
package struct ReanalysedRecording: Sendable {
  package var id: Int64
  package var products: [Product]
  package var measures: Measures?
  /// The stream that was decoded, and what its samples showed; nil if nothing was decoded.
  package var decoded: (stream: StreamIdentity, DecodedStream)?

  package init(
    id: Int64, products: [Product], measures: Measures? = nil, decoded: (stream: StreamIdentity, DecodedStream)? = nil
  ) {
    self.id = id
    self.products = products
    self.measures = measures
    self.decoded = decoded
  }
}

/// What reanalyses read and write.
package struct Reanalyses {
  let store: MediaStore
}

extension MediaStore {
  /// Its reanalyses.
  package var reanalyses: Reanalyses { Reanalyses(store: self) }
}

extension Reanalyses {
  /// Takes the scan lock for a reanalysis, without waiting.
  ///
  /// - Throws: ``StoreError/scanRunning(_:processID:since:)`` while a scan or another reanalysis runs.
  package func begin(of kinds: Set<ProductKind>) throws(StoreError) -> RunLock<ReanalysisRun> {
    try store.lockForScanning()
    do throws(StoreError) {
      let id = try store.write(.batch) { db in
        try db.execute(
          sql: "INSERT INTO reanalysis (process_id, started_at, products) VALUES (?, ?, ?)",
          arguments: [getpid(), store.now, Self.text(kinds)])
        return db.lastInsertedRowID
      }
      return RunLock(runID: id, library: store.library)
    } catch {
      store.library.unlock(.scan)
      throw error
    }
  }

  /// Records the duration, for the estimates of later runs; call this before the lock is released.
  package func finish(
    decodedFileCount: Int, audioInSeconds: Double, elapsedInSeconds: Double, of lock: RunLock<ReanalysisRun>
  ) throws(StoreError) {
    try store.write(.batch) { db in
      try db.execute(
        sql: """
          UPDATE reanalysis SET ended_at = :ended, decoded_files = :files, audio_s = :audio, elapsed_s = :elapsed
           WHERE id = :id
          """,
        arguments: [
          "ended": store.now, "files": decodedFileCount, "audio": audioInSeconds, "elapsed": elapsedInSeconds,
          "id": lock.runID,
        ])
    }
  }

  /// Seconds of audio per second of work when these products were made before, otherwise in scans, which make all
  /// products. nil if no run was long enough to tell.
  package func pace(making kinds: Set<ProductKind>) throws(StoreError) -> Double? {
    try store.read { db in
      let own = try Double.fetchOne(
        db,
        sql: """
          SELECT sum(audio_s) / sum(elapsed_s)
            FROM (SELECT audio_s, elapsed_s FROM reanalysis
                   WHERE products = ? AND audio_s >= 30 AND elapsed_s > 0 ORDER BY id DESC LIMIT 10)
          """, arguments: [Self.text(kinds)])
      if let own { return own }
      return try Double.fetchOne(
        db,
        sql: """
          SELECT sum(audio_s) / sum(elapsed_s)
            FROM (SELECT audio_s, elapsed_s FROM scan_run
                   WHERE audio_s >= 30 AND elapsed_s > 0 AND 2 * decoded_files > found ORDER BY id DESC LIMIT 10)
          """)
    }
  }

  private static func text(_ kinds: Set<ProductKind>) -> String {
    kinds.sorted().map(\.rawValue).joined(separator: " ")
  }

  /// Calls `body` with each recording that was decoded to its end and that has a file found by the query, in order of
  /// ids. Oversized files are never decoded to their end.
  ///
  /// - Parameter kinds: the products whose bytes are compared with their checksums.
  package func forEachRecording(
    of query: Query, findingDamageIn kinds: Set<ProductKind> = [], _ body: (RecordingOutline) -> Void
  ) throws {
    var chosen: Set<Int64>?
    if query.condition != nil {
      var ids: Set<Int64> = []
      try store.forEachRow(of: query, fields: [.id]) { values in
        if case .integer(let id) = values.first { ids.insert(id) }
      }
      chosen = ids
    }
    try store.read { db in
      let isChosen = chosen == nil ? "" : "AND id IN (SELECT value FROM json_each(:ids))"
      let list = chosen.map { "[\($0.map(String.init).joined(separator: ","))]" }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT id, hash, decoded_frames, duration_s, channels,
                 (SELECT max(payload_bytes) FROM stream WHERE audio_id = audio.id), \(Self.lacksSampleHash)
            FROM audio
           WHERE decoded_frames IS NOT NULL AND state <> 'oversize' AND file_count > 0 \(isChosen)
           ORDER BY id
          """, arguments: list.map { ["ids": $0] } ?? [:])
      // With a join, SQLite would collect all products of the library first.
      let products = try db.makeStatement(
        sql: """
          SELECT kind, version, parameters, byte_count FROM product WHERE audio_id = :id
          UNION ALL SELECT 'measures', version, parameters, 0 FROM measures WHERE audio_id = :id
          """)
      while let row = try rows.next() {
        guard let hash = ContentHash(bytes: try row[1] as Data) else { continue }
        var outline = try RecordingOutline(
          id: row[0], hash: hash, decodedFrameCount: row[2], durationInSeconds: row[3] ?? 0, channelCount: row[4],
          streamByteCount: row[5] ?? 0, lacksSampleHash: row[6])
        let stored = try Row.fetchCursor(products, arguments: ["id": outline.id])
        while let product = try stored.next() {
          guard let kind = ProductKind(rawValue: try product[0]) else { continue }
          outline.products[kind] = try StoredProduct(
            kind: kind, version: product[1], parameters: product[2], byteCount: product[3])
        }
        if !kinds.isEmpty {
          outline.damagedKinds = try ProductCheck.damagedKinds(among: kinds, ofRecording: outline.id, db)
        }
        body(outline)
      }
    }
  }

  /// Whether a recording of `audio` should be known by its samples, but was not decoded since this is done.
  private static let lacksSampleHash = """
    (basis = 'stream' AND state = 'ok' AND EXISTS (
       SELECT 1 FROM stream WHERE stream.audio_id = audio.id AND \(LossySourceSQL.isLossless)))
    """

  /// The files from which a recording can be read, missing ones last (by the index on recordings).
  package func places(ofRecording id: Int64) throws(StoreError) -> [(rootID: Int64, file: KnownFile)] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(Scans.knownFileColumns), root_id
            FROM file WHERE audio_id = :audio
           ORDER BY missing_since IS NOT NULL, last_state <> 'ok', root_id, path, id
          """,
        arguments: ["audio": id]
      ).map { try ($0["root_id"], Scans.knownFile($0)) }
    }
  }

  /// Stores recomputed products in one transaction; a product that is equal to the stored one is not written.
  ///
  /// Recordings that were deleted meanwhile are skipped. Only products and measures are written.
  ///
  /// - Parameter run: the forced run whose progress they are.
  /// - Returns: the number of products that changed, and what became of recordings that turned out to be another one.
  package func store(
    _ recordings: [ReanalysedRecording], of run: ReanalysisCheckpoint?
  ) throws(StoreError) -> (changedCount: Int, identities: [IdentityChange]) {
    guard !recordings.isEmpty else { return (0, []) }
    return try store.writePart(.batch) { db in
      var writer = ChangeWriter(db, now: store.now)
      var changedCount = 0
      for recording in recordings {
        let isThere = try Bool.fetchOne(
          db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM audio WHERE id = ?)"), arguments: [recording.id])
        guard isThere == true else { continue }
        changedCount += try writer.writeProducts(
          recording.products, measures: recording.measures, recordingID: recording.id)
        if let run {
          try writer.run(
            "INSERT OR IGNORE INTO forced_recording VALUES (:run, :audio)", ["run": run.id, "audio": recording.id])
        }
        // May join the recording to another one, so it comes last.
        if let (stream, decoded) = recording.decoded, let hash = decoded.sampleHash {
          _ = try writer.identities.place(stream, sampleHash: hash)
        }
      }
      return (changedCount, writer.identities.changes)
    }
  }
}
