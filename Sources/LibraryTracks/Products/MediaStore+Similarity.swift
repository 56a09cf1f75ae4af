package import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// What is known of a recording that another one is compared with; texts are cut like those of a ``Song``.
package struct ComparedTrack: Hashable, Sendable {
  package var recordingID: Int64
  /// Of the first file that is present, or of the first one.
  package var fileID: Int64
  package var path: BytePath
  package var title: String?
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  package var durationInSeconds: Double?
  package var beatsPerMinute: Double?
  package var key: MusicalKey?
  package var isPresent: Bool
}

extension MediaStore {
  /// Thirty-two bytes that change when the statistics of recordings do: their number, and sums over their rows.
  ///
  /// - Complexity: O(n) in the number of products, of which no bytes are read.
  package func similarityState() throws(StoreError) -> [UInt8] {
    try read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*), coalesce(max(id), 0), coalesce(sum(made_at), 0), coalesce(sum(audio_id), 0)
            FROM product WHERE kind = :kind AND version = :version
          """,
        arguments: [
          "kind": ProductKind.similarity.rawValue, "version": ProductRecipe.current(.similarity).version,
        ])
      var writer = ByteWriter(capacity: 32)
      for column in 0..<4 { writer.append(try row?[column] as Int64? ?? 0) }
      return writer.bytes
    }
  }

  /// Calls `body` with the statistics of each recording, in the order of their ids; damaged ones are left out.
  package func forEachSimilarity(_ body: (ContentHash, SimilarityStatistics) -> Void) throws(StoreError) {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT audio.hash, product_blob.checksum, product_blob.bytes
            FROM audio JOIN product ON product.audio_id = audio.id AND product.kind = :kind
                 JOIN product_blob ON product_blob.product_id = product.id
           WHERE product.version = :version
           ORDER BY audio.id
          """,
        arguments: [
          "kind": ProductKind.similarity.rawValue, "version": ProductRecipe.current(.similarity).version,
        ])
      while let row = try rows.next() {
        let hash = try row.withUnsafeData(atIndex: 0) { $0.flatMap { ContentHash(bytes: $0) } }
        let bytes = try row.withUnsafeData(atIndex: 2) { [UInt8]($0 ?? Data()) }
        guard let hash, try Int64(CRC32.checksum(bytes)) == row[1],
          let statistics = try? SimilarityStatistics(blob: bytes)
        else { continue }
        body(hash, statistics)
      }
    }
  }

  /// What is known of recordings, in their order; nil for those that are not in a file of the library.
  ///
  /// Each is found through the index of the hashes.
  package func comparedTracks(_ hashes: [ContentHash]) throws(StoreError) -> [ComparedTrack?] {
    try read { db in try hashes.map { try Self.comparedTrack($0, db) } }
  }

  private static let cutColumns = ["title", "artist", "album", "albumartist"].map { ShownText.sql("file.\($0)") }
    .joined(separator: ", ")

  private static func comparedTrack(_ hash: ContentHash, _ db: Database) throws -> ComparedTrack? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT audio.id, file.id, root.path, file.path, \(cutColumns),
                 file.duration_s, file.bpm, file.musical_key, file.missing_since IS NULL
            FROM audio JOIN file ON file.audio_id = audio.id JOIN root ON root.id = file.root_id
           WHERE audio.hash = :hash
           ORDER BY file.missing_since IS NOT NULL, root.path, file.path, file.id
           LIMIT 1
          """), arguments: ["hash": Data(hash.bytes)]
    ).map { row in
      func cut(_ text: String?) -> String? { text.map { ShownText.cut($0) } }
      return ComparedTrack(
        recordingID: try row[0], fileID: try row[1],
        path: BytePath(try row[2] as Data).appending(BytePath(try row[3] as Data)), title: cut(try row[4]),
        artist: cut(try row[5]), album: cut(try row[6]), albumArtist: cut(try row[7]), durationInSeconds: try row[8],
        beatsPerMinute: try row[9], key: try (row[10] as Int?).flatMap(MusicalKey.init(number:)),
        isPresent: try row[11])
    }
  }

  /// nil if there is no such recording.
  package func hash(ofRecording id: Int64) throws(StoreError) -> ContentHash? {
    try read { db in
      try Data.fetchOne(db, sql: "SELECT hash FROM audio WHERE id = ?", arguments: [id])
        .flatMap { ContentHash(bytes: $0) }
    }
  }
}
