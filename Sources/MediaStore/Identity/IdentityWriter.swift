package import Base
internal import Foundation
internal import GRDB
package import MediaModel

/// What a batch of a scan did to what users decided, beyond storing what was read: worth a line for people.
package enum IdentityChange: Hashable, Sendable {
  /// Two recordings turned out to be one. Everything of the one belongs to the other now.
  ///
  /// - Parameters:
  ///   - label: what people call the recording.
  ///   - former: the hash that is no longer used.
  ///   - replacedPreset: the preset that lost, because the other one was assigned later.
  ///   - renamedAttributes: names of attributes that had two values; the other value has the new name.
  case joined(
    label: String, former: ContentHash, current: ContentHash, replacedPreset: String?, renamedAttributes: [String])
  /// One hash of version 1 meant several streams. What users decided about it belongs to each of them.
  case split(label: String, former: ContentHash, current: ContentHash)
  /// A file holds another recording than before; what users decided about the former one stays with that one.
  case replaced(path: BytePath, former: ContentHash)
}

/// Finds the stream and the recording of a file that was read, makes them if they are new, and lets recordings change
/// their hash, within a transaction.
///
/// Everything that users decided follows in the same transaction (docs/decisions/0029).
struct IdentityWriter {
  let db: Database
  let now: Int64
  private(set) var changes: [IdentityChange] = []
  /// What people call the file that is being written, for messages.
  var fileLabel = ""
  /// The row of the file that is being written; nil if it is new.
  var fileID: Int64?

  init(_ db: Database, now: Int64) {
    self.db = db
    self.now = now
  }

  /// The rows of a stream and of its recording.
  struct Place: Equatable {
    var streamID: Int64
    var recordingID: Int64
  }

  /// - Parameter sampleHash: of the decoded samples; nil for a lossy stream, or one that was not decoded now.
  mutating func place(_ identity: StreamIdentity, sampleHash: ContentHash?) throws -> Place {
    guard let row = try StreamRow.find(identity, db) ?? replacedRow(identity) else {
      return try insert(identity, sampleHash)
    }
    var place = Place(streamID: row.id, recordingID: row.recordingID)
    if row.hash != identity.hash {
      try run(
        "UPDATE stream SET hash = :hash, hash_version = :version, payload_bytes = :bytes WHERE id = :id",
        [
          "hash": Data(identity.hash.bytes), "version": identity.hashVersion, "bytes": identity.byteCount,
          "id": row.id,
        ])
      if try hash(of: row.recordingID) == row.hash {
        place.recordingID = try call(row.recordingID, identity.hash, basis: "stream")
      }
    } else {
      if let former = identity.formerHash, let other = try StreamRow.find(former, version: 1, db) {
        try claim(other, for: place)
      }
      if let other = try replacedRow(identity) { try claim(other, for: place) }
    }
    if let sampleHash, try basis(of: place.recordingID) == "stream" {
      place.recordingID = try call(place.recordingID, sampleHash, basis: "samples")
    }
    return place
  }

  /// The row that a stream has by an earlier rule of version 2.
  ///
  /// Another stream may have that hash by the rule of today. So the row is only taken over if the file that is being
  /// written is the only one that holds it.
  private func replacedRow(_ identity: StreamIdentity) throws -> StreamRow? {
    guard let hash = identity.replacedHash, let fileID,
      let row = try StreamRow.find(hash, version: StreamIdentity.currentVersion, db)
    else { return nil }
    let files = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM file WHERE stream_id = ? LIMIT 2"), arguments: [row.id])
    return files == [fileID] ? row : nil
  }

  /// Unites a stream with its own row by an earlier rule, which came with an older library.
  private mutating func claim(_ former: StreamRow, for place: Place) throws {
    // A row whose recording was given another hash meanwhile may be another stream of the former hash.
    guard let key = try hash(of: place.recordingID), let old = try hash(of: former.recordingID), old == former.hash
    else { return }
    if former.recordingID != place.recordingID { try join(former.recordingID, old, to: place.recordingID, key) }
    try run(
      "UPDATE file SET stream_id = :new WHERE stream_id = :old", ["old": former.id, "new": place.streamID])
    try run("DELETE FROM stream WHERE id = :old", ["old": former.id])
  }

  private mutating func insert(_ identity: StreamIdentity, _ sampleHash: ContentHash?) throws -> Place {
    let key = sampleHash ?? identity.hash
    let recordingID: Int64
    if let known = try self.recordingID(key) {
      recordingID = known
      try inherit(recordingID, key, from: identity, isNew: false)
    } else {
      try run(
        "INSERT INTO audio (hash, basis, state, added_at) VALUES (:hash, :basis, 'pending', :now)",
        ["hash": Data(key.bytes), "basis": sampleHash == nil ? "stream" : "samples", "now": now])
      recordingID = db.lastInsertedRowID
      try inherit(recordingID, key, from: identity, isNew: true)
    }
    try run(
      """
      INSERT INTO stream (audio_id, hash, hash_version, payload_bytes) VALUES (:audio, :hash, :version, :bytes)
      """,
      [
        "audio": recordingID, "hash": Data(identity.hash.bytes), "version": identity.hashVersion,
        "bytes": identity.byteCount,
      ])
    let place = Place(streamID: db.lastInsertedRowID, recordingID: recordingID)
    // Libraries of older versions know it by this hash.
    if let former = identity.formerHash { try remember(former, as: key, isKey: false) }
    if let replaced = identity.replacedHash, try self.recordingID(replaced) == nil {
      try remember(replaced, as: key, isKey: false)
    }
    return place
  }

  /// What users decided about a recording whose row was deleted, or about one that shared a hash of an earlier rule.
  private mutating func inherit(
    _ id: Int64, _ key: ContentHash, from identity: StreamIdentity, isNew: Bool
  ) throws {
    for former in [identity.hash, identity.formerHash].compactMap({ $0 }) where former != key {
      let current = try FormerHashes.current(of: former, onlyKeys: true, db)
      if current.isEmpty {
        guard try !AssignmentRow.fetchAll(about: former, db).isEmpty else { continue }
        try moveAssignment(from: former, to: key)
        try remember(former, as: key)
      } else if isNew, let first = current.first, !current.contains(key) {
        // The others have copies of what was decided about the first one.
        if try copyDecisions(about: first, to: id, key) {
          changes.append(.split(label: fileLabel, former: former, current: key))
        }
        try remember(former, as: key)
      }
    }
    // The stream that has this hash today keeps what was decided about it.
    if isNew, let replaced = identity.replacedHash, try wasKnown(by: replaced),
      try copyDecisions(about: replaced, to: id, key)
    {
      changes.append(.split(label: fileLabel, former: replaced, current: key))
    }
  }

  /// Whether the file that is being written was stored under a hash, or nothing is any more.
  private func wasKnown(by hash: ContentHash) throws -> Bool {
    guard try recordingID(hash) != nil else { return true }
    return try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM file JOIN stream ON stream.id = file.stream_id
                          WHERE file.id = :file AND stream.hash = :hash)
          """), arguments: ["file": fileID, "hash": Data(hash.bytes)]) ?? false
  }

  // MARK: - New hashes

  /// Gives a recording another hash. If another recording has it already, both become that one.
  ///
  /// - Returns: the id of the recording that has the hash now.
  mutating func call(_ id: Int64, _ new: ContentHash, basis: String) throws -> Int64 {
    guard let old = try hash(of: id) else { return id }
    if old == new {
      try run("UPDATE audio SET basis = :basis WHERE id = :id AND basis <> :basis", ["basis": basis, "id": id])
      return id
    }
    if let other = try recordingID(new) {
      try join(id, old, to: other, new)
      return other
    }
    try run(
      "UPDATE audio SET hash = :hash, basis = :basis WHERE id = :id",
      ["hash": Data(new.bytes), "basis": basis, "id": id])
    try moveAssignment(from: old, to: new)
    try remember(old, as: new)
    return id
  }

  /// Makes a former hash lead to a recording, for ever.
  ///
  /// - Parameter isKey: whether a recording of this library was stored under it.
  func remember(_ former: ContentHash, as current: ContentHash, isKey: Bool = true) throws {
    let hashes: StatementArguments = ["former": Data(former.bytes), "current": Data(current.bytes)]
    try run(
      """
      INSERT INTO former_hash (hash, current, is_key) VALUES (:former, :current, :key)
      ON CONFLICT (hash, current) DO UPDATE SET is_key = 1 WHERE excluded.is_key > is_key
      """, hashes + ["key": isKey])
    guard isKey else { return }
    // What led to the former hash leads to the current one.
    try run("UPDATE OR IGNORE former_hash SET current = :current WHERE current = :former", hashes)
    try run("DELETE FROM former_hash WHERE current = :former", hashes)
  }

  /// Moves the presets of a recording and its parts to another one.
  ///
  /// - Returns: the preset that lost, if both had one.
  @discardableResult
  mutating func moveAssignment(from old: ContentHash, to new: ContentHash) throws -> String? {
    var lost: String?
    for row in try AssignmentRow.fetchAll(about: old, db) { lost = try move(row, to: new) ?? lost }
    return lost
  }

  private mutating func move(_ moved: AssignmentRow, to new: ContentHash) throws -> String? {
    let label = moved.subject.label
    let arrived = moved.with(moved.subject.with(recording: new))
    let own = try AssignmentRow.fetch(arrived.key, db)
    try moved.delete(db)
    guard let own else {
      try arrived.save(db)
      return nil
    }
    // The later decision counts; the other one comes back with `undo`.
    let (winner, loser) = try isLater(moved, than: own) ? (arrived, own) : (own, arrived)
    try winner.save(db)
    var former = loser
    former.subject = winner.subject
    guard former != winner else { return nil }
    let name = try presetName(of: loser) ?? "off"
    // First the other one, so that an undo leads to it, and the journal agrees with that.
    var settling = JournalEditor(db, now: now, summary: "two recordings became one: '\(label)'")
    try settling.note(winner, became: former)
    var editor = JournalEditor(db, now: now, summary: "of its two presets, \(name) on '\(label)' gives way")
    try editor.note(former, became: winner)
    let isSamePreset = (winner.presetID, winner.builtIn, winner.isOn) == (loser.presetID, loser.builtIn, loser.isOn)
    return isSamePreset ? nil : name
  }

  /// By time, or within a second by the journal.
  private func isLater(_ row: AssignmentRow, than other: AssignmentRow) throws -> Bool {
    guard row.assignedAt == other.assignedAt else { return row.assignedAt > other.assignedAt }
    return try lastChange(of: row) > lastChange(of: other)
  }

  private func lastChange(of row: AssignmentRow) throws -> Int64 {
    guard let hash = row.subject.recording else { return 0 }
    let former = try Data.fetchAll(
      db.cachedStatement(sql: "SELECT hash FROM former_hash WHERE current = ?"), arguments: [Data(hash.bytes)])
    return try ([hash] + former.compactMap { ContentHash(bytes: $0) }).map { hash in
      try Int64.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT max(change_id) FROM change_row
             WHERE table_name = 'preset_assignment' AND instr(after, ?) > 0
            """), arguments: [hash.description]) ?? 0
    }.max() ?? 0
  }

  private func presetName(of row: AssignmentRow) throws -> String? {
    guard let id = row.presetID else { return row.builtIn }
    return try String.fetchOne(
      db.cachedStatement(sql: "SELECT name FROM preset WHERE id = ?"), arguments: [id])
  }

  // MARK: - Rows

  func recordingID(_ hash: ContentHash) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM audio WHERE hash = ?"), arguments: [Data(hash.bytes)])
  }

  func hash(of id: Int64) throws -> ContentHash? {
    try Data.fetchOne(db.cachedStatement(sql: "SELECT hash FROM audio WHERE id = ?"), arguments: [id])
      .flatMap { ContentHash(bytes: $0) }
  }

  private func basis(of id: Int64) throws -> String? {
    try String.fetchOne(db.cachedStatement(sql: "SELECT basis FROM audio WHERE id = ?"), arguments: [id])
  }

  /// What people call a recording: by the tags of a file, or by the assignment of a preset.
  func label(of id: Int64, _ hash: ContentHash) throws -> String {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT title, artist, name_text FROM file WHERE audio_id = ?
           ORDER BY missing_since IS NOT NULL, root_id, path LIMIT 1
          """), arguments: [id])
    guard let row else {
      let subjects = try AssignmentRow.fetchAll(about: hash, db).map(\.subject)
      return subjects.first { $0.scope == .track }?.label ?? ""
    }
    guard let title: String = try row[0], !title.isEmpty else { return try row[2] }
    return try [row[1] as String?, title].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " - ")
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

extension IdentityWriter {
  mutating func note(_ change: IdentityChange) { changes.append(change) }

  /// Whether users decided something about a recording.
  func isDecided(_ id: Int64) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM list_entry WHERE audio_id = :audio)
              OR EXISTS (SELECT 1 FROM attribute WHERE audio_id = :audio)
              OR EXISTS (SELECT 1 FROM preset_assignment
                          WHERE scope IN ('part', 'track') AND artist = '' AND album = ''
                            AND hash = (SELECT hash FROM audio WHERE id = :audio))
          """), arguments: ["audio": id]) ?? false
  }
}
