package import Base
internal import Foundation
package import LibraryDatabase
internal import LibraryTracks
package import MediaModel
internal import MediaStore
internal import UserData

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
package struct IdentityWriter {
  package let db: Database
  package let now: Int64
  package private(set) var changes: [IdentityChange] = []
  /// What people call the file that is being written, for messages.
  var fileLabel = ""
  /// The row of the file that is being written; nil if it is new.
  package var fileID: Int64?

  package init(_ db: Database, now: Int64) {
    self.db = db
    self.now = now
  }

  private var decisions: DecisionWriter { DecisionWriter(db, now: now) }

  /// The rows of a stream and of its recording.
  package struct Place: Equatable {
    var streamID: Int64
    var recordingID: Int64
  }

  /// - Parameter sampleHash: of the decoded samples; nil for a lossy stream, or one that was not decoded now.
  package mutating func place(_ identity: StreamIdentity, sampleHash: ContentHash?) throws -> Place {
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
      if try RecordingKeys.hash(of: row.recordingID, db) == row.hash {
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
    guard let key = try RecordingKeys.hash(of: place.recordingID, db),
      let old = try RecordingKeys.hash(of: former.recordingID, db), old == former.hash
    else { return }
    if former.recordingID != place.recordingID { try join(former.recordingID, old, to: place.recordingID, key) }
    try run(
      "UPDATE file SET stream_id = :new WHERE stream_id = :old", ["old": former.id, "new": place.streamID])
    try run("DELETE FROM stream WHERE id = :old", ["old": former.id])
  }

  private mutating func insert(_ identity: StreamIdentity, _ sampleHash: ContentHash?) throws -> Place {
    let key = sampleHash ?? identity.hash
    let recordingID: Int64
    if let known = try RecordingKeys.id(of: key, db) {
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
    if let former = identity.formerHash { try FormerHashes.remember(former, as: key, isKey: false, db) }
    if let replaced = identity.replacedHash, try RecordingKeys.id(of: replaced, db) == nil {
      try FormerHashes.remember(replaced, as: key, isKey: false, db)
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
        guard
          try !AssignmentRow.fetchAll(about: former, db).isEmpty || !CorrectionRow.fetchAll(of: former, db).isEmpty
        else { continue }
        try decisions.moveAssignments(from: former, to: key)
        try decisions.moveCorrections(from: former, to: key)
        try FormerHashes.remember(former, as: key, db)
      } else if isNew, let first = current.first, !current.contains(key) {
        // The others have copies of what was decided about the first one.
        if try decisions.copyAll(about: first, to: id, key) {
          changes.append(.split(label: fileLabel, former: former, current: key))
        }
        try FormerHashes.remember(former, as: key, db)
      }
    }
    // The stream that has this hash today keeps what was decided about it.
    if isNew, let replaced = identity.replacedHash, try wasKnown(by: replaced),
      try decisions.copyAll(about: replaced, to: id, key)
    {
      changes.append(.split(label: fileLabel, former: replaced, current: key))
    }
  }

  /// Whether the file that is being written was stored under a hash, or nothing is any more.
  private func wasKnown(by hash: ContentHash) throws -> Bool {
    guard try RecordingKeys.id(of: hash, db) != nil else { return true }
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
  package mutating func call(_ id: Int64, _ new: ContentHash, basis: String) throws -> Int64 {
    guard let old = try RecordingKeys.hash(of: id, db) else { return id }
    if old == new {
      try run("UPDATE audio SET basis = :basis WHERE id = :id AND basis <> :basis", ["basis": basis, "id": id])
      return id
    }
    if let other = try RecordingKeys.id(of: new, db) {
      try join(id, old, to: other, new)
      return other
    }
    try run(
      "UPDATE audio SET hash = :hash, basis = :basis WHERE id = :id",
      ["hash": Data(new.bytes), "basis": basis, "id": id])
    try decisions.moveAssignments(from: old, to: new)
    try decisions.moveCorrections(from: old, to: new)
    try FormerHashes.remember(old, as: new, db)
    return id
  }

  // MARK: - Several recordings that are one

  /// Moves everything of a recording to another one, and deletes its row.
  package mutating func join(_ id: Int64, _ old: ContentHash, to other: Int64, _ new: ContentHash) throws {
    let replaced = try decisions.moveAssignments(from: old, to: new)
    try decisions.moveCorrections(from: old, to: new)
    // The journal finds what it has about the recording by its former hash.
    var unwritten = JournalEditor(db, now: now, summary: nil)
    let renamed = try decisions.moveAttributes(from: old, to: new, &unwritten).renamed
    let rows: StatementArguments = ["old": id, "new": other]
    try run("UPDATE list_entry SET audio_id = :new WHERE audio_id = :old", rows)
    try run("UPDATE stream SET audio_id = :new WHERE audio_id = :old", rows)
    try run("UPDATE file SET audio_id = :new WHERE audio_id = :old", rows)
    try run("UPDATE OR IGNORE forced_recording SET audio_id = :new WHERE audio_id = :old", rows)
    try run(
      "UPDATE audio SET added_at = min(added_at, (SELECT added_at FROM audio WHERE id = :old)) WHERE id = :new", rows)
    try moveProducts(rows)
    try run("DELETE FROM audio WHERE id = :old", ["old": id])
    try FormerHashes.remember(old, as: new, db)
    note(
      .joined(
        label: try label(of: other, new), former: old, current: new, replacedPreset: replaced,
        renamedAttributes: renamed))
  }

  /// Keeps the products of a recording that is joined to one that was never decoded.
  private func moveProducts(_ rows: StatementArguments) throws {
    try run(
      """
      UPDATE audio
         SET (sample_rate_hz, channels, decoded_frames, delay_frames, padding_frames, state, problem_code,
              problem_reason, problem_position_s, statement)
             = (SELECT sample_rate_hz, channels, decoded_frames, delay_frames, padding_frames, state, problem_code,
                       problem_reason, problem_position_s, statement FROM audio WHERE id = :old)
       WHERE id = :new AND decoded_frames IS NULL
      """, rows)
    for table in ["product", "measures", "tempo_key"] {
      try run("UPDATE OR IGNORE \(table) SET audio_id = :new WHERE audio_id = :old", rows)
    }
  }

  // MARK: - Rows

  private func basis(of id: Int64) throws -> String? {
    try String.fetchOne(db.cachedStatement(sql: "SELECT basis FROM audio WHERE id = ?"), arguments: [id])
  }

  /// What people call a recording: by the tags of a file, or by the assignment of a preset.
  package func label(of id: Int64, _ hash: ContentHash) throws -> String {
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

  package func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

extension IdentityWriter {
  package mutating func note(_ change: IdentityChange) { changes.append(change) }
}
