internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore

/// A recording as a track of an album.
package struct AlbumTrack: Hashable, Sendable {
  package var recordingID: Int64
  package var hash: ContentHash
  /// As decoded, else as the file says; 0 if it is not known.
  package var durationInSeconds: Double

  package init(recordingID: Int64, hash: ContentHash, durationInSeconds: Double) {
    self.recordingID = recordingID
    self.hash = hash
    self.durationInSeconds = durationInSeconds
  }
}

extension Albums {
  /// Of more files, those that the library has known for longest are looked at: tracks without an album may be all of it.
  package static let largestTrackCount = 5000

  /// The recordings of an album's first edition that are there, each once, in the order of discs, tracks and paths.
  ///
  /// Found through `file_by_album_id`. Empty if there is no such album.
  package func tracks(of id: Int64) throws(StoreError) -> [AlbumTrack] {
    try store.read { db in
      var known: Set<Int64> = []
      return try Row.fetchAll(
        db.cachedStatement(sql: Self.trackSQL), arguments: ["album": id, "limit": Self.largestTrackCount]
      ).compactMap { row in
        guard let track = try AlbumTrack(row: row), known.insert(track.recordingID).inserted else { return nil }
        return track
      }
    }
  }

  static let trackSQL = """
    WITH member AS MATERIALIZED (
      SELECT id, audio_id, album_edition, album_disc, track, path, duration_s FROM file
       WHERE album_id = :album AND missing_since IS NULL AND audio_id IS NOT NULL
       ORDER BY id LIMIT :limit)
    SELECT audio.id, audio.hash, coalesce(audio.duration_s, member.duration_s, 0)
      FROM member JOIN audio ON audio.id = member.audio_id
     WHERE member.album_edition IS (SELECT min(album_edition) FROM member)
     ORDER BY member.album_disc, coalesce(member.track, 0), member.path, member.id
    """

  /// A recording alone, as if it were an album; nil if there is none.
  package func track(ofRecording id: Int64) throws(StoreError) -> AlbumTrack? {
    try store.read { db in
      try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT id, hash, coalesce(duration_s, (SELECT max(duration_s) FROM file WHERE audio_id = audio.id), 0)
              FROM audio WHERE id = ?
            """), arguments: [id]
      ).flatMap(AlbumTrack.init)
    }
  }

  /// The album with a key, or with one that it had before it became part of another; nil if there is none.
  package func id(ofKey key: String) throws(StoreError) -> Int64? {
    guard let key = ContentHash(hexadecimal: key) else { return nil }
    return try store.read { db in
      try Int64.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT id, 0 AS is_former FROM album WHERE key = :key
            UNION ALL SELECT album_id, 1 FROM former_album WHERE key = :key
            ORDER BY is_former LIMIT 1
            """), arguments: ["key": Data(key.bytes)])
    }
  }
}

extension AlbumTrack {
  fileprivate init?(row: Row) throws {
    guard let hash = try ContentHash(bytes: row[1] as Data) else { return nil }
    try self.init(recordingID: row[0], hash: hash, durationInSeconds: row[2])
  }
}
