internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore

/// What a person is about to hear.
package struct StoredQueue: Hashable, Sendable {
  package var entries: [QueueEntry]
  /// The entry that is heard, or would be; nil if none is.
  package var currentID: Int64?
  package var positionInMilliseconds: Int64
  /// What goes on behind the last entry, as the page writes it.
  package var source: String?
  /// One more with every change.
  package var version: Int64
  /// Seconds since 1970.
  package var changedAt: Int64
  /// The name of the client.
  package var changedBy: String

  package init(
    entries: [QueueEntry] = [], currentID: Int64? = nil, positionInMilliseconds: Int64 = 0, source: String? = nil,
    version: Int64 = 0, changedAt: Int64 = 0, changedBy: String = ""
  ) {
    self.entries = entries
    self.currentID = currentID
    self.positionInMilliseconds = positionInMilliseconds
    self.source = source
    self.version = version
    self.changedAt = changedAt
    self.changedBy = changedBy
  }

  /// Where the current entry stands, from 0.
  package var place: Int? { currentID.flatMap { id in entries.firstIndex { $0.id == id } } }

  package var recordingIDs: [Int64] { entries.map(\.recordingID) }
}

extension Plays {
  /// Edits that are remembered.
  private static let rememberedEditCount = 256
  /// Bytes of an entry in `play_queue.entries`.
  private static let entryByteCount = 32

  /// The queue of a person; nil if the person never had one.
  ///
  /// - Parameter isFormer: Whether it is the one that the latest replacement took the place of.
  package func queue(of personID: Int64, isFormer: Bool = false) throws(StoreError) -> StoredQueue? {
    try store.read { db in try Self.queue(of: personID, isFormer: isFormer, db) }
  }

  /// Replaces the queue of a person as a client that knows nothing of edits wishes; it is on the disk when this returns.
  ///
  /// Recordings that are gone are left out. Entries of the queue that was there keep their ids; if it had others, it becomes
  /// the former one.
  ///
  /// - Parameters:
  ///   - songs: Recordings with the files that they are shown as.
  ///   - place: Of the current one, from 0; nil if none is.
  package func saveQueue(
    _ songs: [(recordingID: Int64, fileID: Int64?)], place: Int?, positionInMilliseconds position: Int64,
    by client: String, of personID: Int64
  ) throws(StoreError) {
    try store.write(.durable) { db in
      let former = try Self.queue(of: personID, isFormer: false, db)
      var known = Dictionary(grouping: (former?.entries ?? []).reversed(), by: \.recordingID)
      var queue = former ?? StoredQueue()
      queue.entries = songs.map { song in
        var entry =
          known[song.recordingID]?.popLast()
          ?? QueueEntry(id: .random(in: 1...QueueEntry.largestID), recordingID: song.recordingID)
        if let file = song.fileID { entry.fileID = file }
        return entry
      }
      queue.currentID = place.map { queue.entries[$0].id }
      queue.positionInMilliseconds = position
      let isOther = former.map { $0.recordingIDs != queue.recordingIDs } ?? false
      if isOther { queue.source = nil }
      try save(queue, insteadOf: former, keepsFormer: isOther, by: client, edit: [], of: personID, db)
    }
  }

  /// What became of an edit.
  package enum EditOutcome: Hashable, Sendable {
    case made(version: Int64)
    /// It was made before; nothing was changed.
    case repeated(version: Int64)
    /// The queue would have so many entries; nothing was changed.
    case tooLong(count: Int)
  }

  /// Makes an edit on the queue as it is now, unless it was made before; it is on the disk when this returns.
  package func edit(
    _ edit: QueueChange.Edit, limit: Int, ofQueueOf personID: Int64
  ) throws(StoreError) -> EditOutcome {
    try store.write(.durable) { db in
      let stored = try Self.queue(of: personID, isFormer: false, db)
      var queue = stored ?? StoredQueue()
      let version = queue.version
      let known = try edits(of: personID, db)
      let isKnown = stride(from: 0, to: known.count - 15, by: 16).contains {
        known[$0..<$0 + 16].elementsEqual(edit.id)
      }
      if isKnown { return .repeated(version: version) }
      var keepsFormer = false
      for change in edit.changes {
        switch change {
        case .restore:
          guard var former = try Self.queue(of: personID, isFormer: true, db) else { continue }
          former.version = version
          (queue, keepsFormer) = (former, true)
        case .replace:
          keepsFormer = keepsFormer || queue.entries.isEmpty == false
          queue.apply(change)
        default: queue.apply(change)
        }
      }
      guard queue.entries.count <= limit else { return .tooLong(count: queue.entries.count) }
      try save(
        queue, insteadOf: stored, keepsFormer: keepsFormer, by: edit.client, edit: edit.id, of: personID, db)
      return .made(version: version + 1)
    }
  }

  // MARK: - Rows

  /// The ids of the latest edits, 16 bytes each.
  private func edits(of personID: Int64, _ db: Database) throws -> [UInt8] {
    let bytes = try Data.fetchOne(
      db, sql: "SELECT edits FROM play_queue WHERE person_id = ? AND is_former = 0", arguments: [personID])
    return [UInt8](bytes ?? Data())
  }

  private func save(
    _ queue: StoredQueue, insteadOf former: StoredQueue?, keepsFormer: Bool, by client: String, edit: [UInt8],
    of personID: Int64, _ db: Database
  ) throws {
    if keepsFormer, former != nil {
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO play_queue
            (person_id, is_former, hashes, place, position_ms, changed_at, changed_by, version, entries, source)
          SELECT person_id, 1, hashes, place, position_ms, changed_at, changed_by, version, entries, source
            FROM play_queue WHERE person_id = ? AND is_former = 0
          """, arguments: [personID])
    }
    var (hashes, entries, place) = (Data(), Data(), Int?.none)
    for entry in queue.entries {
      guard let hash = try RecordingKeys.hash(of: entry.recordingID, db) else { continue }
      if entry.id == queue.currentID { place = hashes.count / 16 }
      hashes.append(contentsOf: hash.bytes)
      entries.append(contentsOf: try Self.bytes(of: entry, db))
    }
    try db.execute(
      sql: """
        INSERT INTO play_queue
          (person_id, hashes, place, position_ms, changed_at, changed_by, version, entries, edits, source)
        VALUES (:person, :hashes, :place, :position, :now, :by, :version, :entries, :edits, :source)
        ON CONFLICT (person_id, is_former) DO UPDATE
           SET hashes = excluded.hashes, place = excluded.place, position_ms = excluded.position_ms,
               changed_at = excluded.changed_at, changed_by = excluded.changed_by, version = excluded.version,
               entries = excluded.entries, edits = excluded.edits,
               source = excluded.source
        """,
      arguments: [
        "person": personID, "hashes": hashes, "place": place, "position": queue.positionInMilliseconds,
        "now": store.now, "by": client, "version": (former?.version ?? 0) + 1, "entries": entries,
        "edits": Data((try edits(of: personID, db) + edit).suffix(16 * Self.rememberedEditCount)),
        "source": queue.source,
      ])
  }

  /// The id, the part (0: all of it) and the rank (0: none, else one more) of an entry, and the key of its file or zeros.
  private static func bytes(of entry: QueueEntry, _ db: Database) throws -> Data {
    var bytes = Data()
    withUnsafeBytes(of: UInt64(entry.id).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(clamping: entry.part ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(clamping: entry.rank.map { $0 + 1 } ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
    let key = try entry.fileID.flatMap {
      try Data.fetchOne(db.cachedStatement(sql: "SELECT key FROM file WHERE id = ?"), arguments: [$0])
    }
    bytes.append(key ?? Data(count: 16))
    return bytes
  }

  private static func queue(of personID: Int64, isFormer: Bool, _ db: Database) throws -> StoredQueue? {
    guard
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT hashes, entries, place, position_ms, source, version, changed_at, changed_by
            FROM play_queue WHERE person_id = ? AND is_former = ?
          """, arguments: [personID, isFormer])
    else { return nil }
    let hashes = [UInt8](try row["hashes"] as Data)
    let entries = [UInt8](try row["entries"] as Data)
    let place: Int? = try row["place"]
    var queue = try StoredQueue(
      positionInMilliseconds: row["position_ms"], source: row["source"], version: row["version"],
      changedAt: row["changed_at"], changedBy: row["changed_by"])
    for index in 0..<hashes.count / 16 {
      guard let hash = ContentHash(bytes: hashes[16 * index..<16 * index + 16]),
        let current = try FormerHashes.recording(hash, db), let id = try RecordingKeys.id(of: current, db)
      else { continue }
      // Queues of players from before entries had ids.
      var entry = QueueEntry(id: Int64(index) + 1, recordingID: id)
      if entries.count >= (index + 1) * entryByteCount {
        try read(entries[index * entryByteCount..<(index + 1) * entryByteCount], into: &entry, db)
      }
      if index == place { queue.currentID = entry.id }
      queue.entries.append(entry)
    }
    return queue
  }

  private static func read(_ bytes: ArraySlice<UInt8>, into entry: inout QueueEntry, _ db: Database) throws {
    func number(_ offset: Int, _ count: Int) -> UInt64 {
      (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[bytes.startIndex + offset + $1]) }
    }
    entry.id = Int64(clamping: number(0, 8))
    entry.part = Int(exactly: number(8, 4)).flatMap { $0 == 0 ? nil : $0 }
    entry.rank = Int(exactly: number(12, 4)).flatMap { $0 == 0 ? nil : $0 - 1 }
    let key = Data(bytes.suffix(16))
    guard key.contains(where: { $0 != 0 }) else { return }
    entry.fileID = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM file WHERE key = ? AND audio_id = ? AND missing_since IS NULL"),
      arguments: [key, entry.recordingID])
  }
}
