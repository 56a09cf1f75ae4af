internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore

/// What a person was about to hear when a client last said so.
package struct StoredQueue: Hashable, Sendable {
  package var recordingIDs: [Int64]
  /// Of the current one, from 0; nil if none is.
  package var place: Int?
  package var positionInMilliseconds: Int64
  /// Seconds since 1970.
  package var changedAt: Int64
  /// The name of the client.
  package var changedBy: String

  package init(
    recordingIDs: [Int64], place: Int?, positionInMilliseconds: Int64, changedAt: Int64 = 0, changedBy: String
  ) {
    self.recordingIDs = recordingIDs
    self.place = place
    self.positionInMilliseconds = positionInMilliseconds
    self.changedAt = changedAt
    self.changedBy = changedBy
  }
}

extension Plays {
  /// Replaces the queue of a person; it is on the disk when this returns. Recordings that are gone are left out.
  package func saveQueue(_ queue: StoredQueue, of personID: Int64) throws(StoreError) {
    try store.write(.durable) { db in
      var (hashes, place) = (Data(), Int?.none)
      for (index, id) in queue.recordingIDs.enumerated() {
        guard let hash = try RecordingKeys.hash(of: id, db) else { continue }
        if index == queue.place { place = hashes.count / 16 }
        hashes.append(contentsOf: hash.bytes)
      }
      try db.execute(
        sql: """
          INSERT INTO play_queue (person_id, hashes, place, position_ms, changed_at, changed_by)
          VALUES (:person, :hashes, :place, :position, :now, :by)
          ON CONFLICT (person_id) DO UPDATE
             SET hashes = excluded.hashes, place = excluded.place, position_ms = excluded.position_ms,
                 changed_at = excluded.changed_at, changed_by = excluded.changed_by
          """,
        arguments: [
          "person": personID, "hashes": hashes, "place": place, "position": queue.positionInMilliseconds,
          "now": store.now,
          "by": queue.changedBy,
        ])
    }
  }

  /// nil if the person never had one.
  package func queue(of personID: Int64) throws(StoreError) -> StoredQueue? {
    try store.read { db in
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT hashes, place, position_ms, changed_at, changed_by FROM play_queue WHERE person_id = ?",
          arguments: [personID])
      else { return nil }
      let (bytes, storedPlace): ([UInt8], Int?) = try (Array(row[0] as Data), row[1])
      var (ids, place) = ([Int64](), Int?.none)
      for start in stride(from: 0, to: bytes.count - 15, by: 16) {
        guard let hash = ContentHash(bytes: bytes[start..<start + 16]),
          let current = try FormerHashes.recording(hash, db),
          let id = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM audio WHERE hash = ?"), arguments: [Data(current.bytes)])
        else { continue }
        if start / 16 == storedPlace { place = ids.count }
        ids.append(id)
      }
      return try StoredQueue(
        recordingIDs: ids, place: place, positionInMilliseconds: row[2], changedAt: row[3], changedBy: row[4])
    }
  }
}
