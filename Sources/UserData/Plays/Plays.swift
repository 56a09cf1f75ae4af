internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore

/// Somebody has heard a recording, or a part of it.
package struct Play: Hashable, Sendable {
  /// The recording that the hash leads to now; nil if it is no longer in the library.
  package var recordingID: Int64?
  package var title: String?
  package var artist: String?
  /// Seconds since 1970.
  package var startedAt: Int64
  package var seconds: Double
  /// Whether it was heard to its end.
  package var isFinished: Bool
}

/// A recording that was heard, to be noted.
package struct NewPlay: Hashable, Sendable {
  package var recordingID: Int64
  /// Seconds since 1970.
  package var startedAt: Int64
  package var seconds: Double
  package var isFinished: Bool

  package init(recordingID: Int64, startedAt: Int64, seconds: Double, isFinished: Bool) {
    self.recordingID = recordingID
    self.startedAt = startedAt
    self.seconds = seconds
    self.isFinished = isFinished
  }
}

/// How often a recording was heard.
package struct PlayCount: Hashable, Sendable {
  package var count: Int
  /// Seconds since 1970; nil if it never was.
  package var lastAt: Int64?
}

/// What was heard, and what people were about to hear.
package struct Plays {
  let store: MediaStore
}

extension MediaStore {
  /// What was heard of it.
  package var plays: Plays { Plays(store: self) }
}

/// What was heard, which is no decision: it is not in the journal, and `undo` does not take it back.
extension Plays {
  /// Notes that a recording was heard; it is on the disk when this returns. The same start counts once, with what was
  /// said last.
  ///
  /// - Parameter personID: who heard it; nil for the one for whom the connection speaks.
  /// - Returns: nil if there is no such recording.
  package func note(
    ofRecording id: Int64, startedAt: Int64, seconds: Double, isFinished: Bool, by personID: Int64? = nil
  ) throws(StoreError) -> PlayCount? {
    let play = NewPlay(recordingID: id, startedAt: startedAt, seconds: seconds, isFinished: isFinished)
    return try store.write(.durable) { db in
      try Self.note(play, by: personID ?? store.personID, db) ? try Self.count(ofRecording: id, db) : nil
    }
  }

  /// Notes what was heard in one transaction, as ``note(ofRecording:startedAt:seconds:isFinished:by:)`` does;
  /// recordings that are no longer in the library are left out.
  package func note(_ plays: [NewPlay], by personID: Int64? = nil) throws(StoreError) {
    try store.write(.durable) { db in
      for play in plays { _ = try Self.note(play, by: personID ?? store.personID, db) }
    }
  }

  /// - Returns: whether there is such a recording.
  private static func note(_ play: NewPlay, by personID: Int64, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT hash FROM audio WHERE id = ?")
    guard let hash = try Data.fetchOne(statement, arguments: [play.recordingID]) else { return false }
    try db.cachedStatement(
      sql: """
        INSERT INTO play (hash, person_id, started_at, seconds, is_finished) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET seconds = excluded.seconds, is_finished = excluded.is_finished
        """
    ).execute(
      arguments: [hash, personID, play.startedAt, max(0, play.seconds), play.isFinished])
    return true
  }

  package func count(ofRecording id: Int64) throws(StoreError) -> PlayCount {
    try store.read { try Self.count(ofRecording: id, $0) }
  }

  private static func count(ofRecording id: Int64, _ db: Database) throws -> PlayCount {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT count(*), max(started_at) FROM play JOIN audio ON \(PlaySQL.isOfAudio)
         WHERE audio.id = ? AND person_id = listener()
        """,
      arguments: [id])
    return try PlayCount(count: row?[0] ?? 0, lastAt: row?[1])
  }

  /// What was heard, the latest first, found through `play_by_time`.
  package func latest(from offset: Int, limit: Int) throws(StoreError) -> [Play] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT audio.id, \(ShownText.sql("file.title")), \(ShownText.sql("file.artist")), play.started_at, play.seconds, play.is_finished
            FROM (SELECT * FROM play WHERE person_id = :person ORDER BY started_at DESC, hash LIMIT :limit OFFSET :offset)
                 AS play
            LEFT JOIN audio ON audio.id = coalesce(
                   (SELECT id FROM audio WHERE hash = play.hash),
                   (SELECT audio.id FROM former_hash JOIN audio ON audio.hash = former_hash.current
                     WHERE former_hash.hash = play.hash ORDER BY audio.id LIMIT 1))
            LEFT JOIN file ON file.id = (SELECT id FROM file WHERE audio_id = audio.id
                                          ORDER BY missing_since IS NOT NULL, root_id, path LIMIT 1)
           ORDER BY play.started_at DESC, play.hash
          """, arguments: ["person": store.personID, "limit": limit, "offset": offset]
      ).map {
        try Play(
          recordingID: $0[0], title: ($0[1] as String?).map { ShownText.cut($0) },
          artist: ($0[2] as String?).map { ShownText.cut($0) }, startedAt: $0[3], seconds: $0[4], isFinished: $0[5])
      }
    }
  }
}

/// SQL about `play`, whose rows keep the hash that the recording had then.
package enum PlaySQL {
  package static let isOfAudio = """
    play.hash IN (SELECT audio.hash UNION ALL SELECT hash FROM former_hash WHERE former_hash.current = audio.hash)
    """
  /// 0 if it was never heard.
  package static let count = "(SELECT count(*) FROM play WHERE person_id = listener() AND \(isOfAudio))"
  package static let last = "(SELECT max(started_at) FROM play WHERE person_id = listener() AND \(isOfAudio))"
}
