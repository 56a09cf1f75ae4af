internal import Foundation
package import LibraryDatabase
package import MediaModel

/// Lets what users decided follow, within a transaction, when several recordings turn out to be one, or one to be several.
package struct DecisionWriter {
  private let db: Database
  private let now: Int64

  package init(_ db: Database, now: Int64) {
    self.db = db
    self.now = now
  }

  // MARK: - Several recordings that are one

  /// Moves the presets of a recording and its parts to another one.
  ///
  /// - Returns: the preset that lost, if both had one.
  @discardableResult
  package func moveAssignments(from old: ContentHash, to new: ContentHash) throws -> String? {
    var lost: String?
    for row in try AssignmentRow.fetchAll(about: old, db) { lost = try move(row, to: new) ?? lost }
    return lost
  }

  private func move(_ moved: AssignmentRow, to new: ContentHash) throws -> String? {
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
    var editor = JournalEditor(db, now: now, summary: "the preset \(name) on '\(label)' was dropped")
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

  /// Moves the corrections of a recording to another one. Of two of one field the later one counts, and `undo` leads to the other.
  ///
  /// - Returns: the names of the fields of which one gave way.
  @discardableResult
  package func moveCorrections(from old: ContentHash, to new: ContentHash) throws -> [String] {
    var lost: [String] = []
    for row in try CorrectionRow.fetchAll(of: old, db) {
      let arrived = row.with(CorrectionSubject(recording: new))
      try row.delete(db)
      guard let own = try CorrectionRow.fetch(row.correction.field, of: arrived.subject, db) else {
        try arrived.save(db)
        continue
      }
      var (winner, loser) = arrived.correctedAt > own.correctedAt ? (arrived, own) : (own, arrived)
      // The files of both are those of the one recording now.
      let bases = own.correction.bases + arrived.correction.bases.filter { !own.correction.bases.contains($0) }
      (winner.correction.bases, loser.correction.bases) = (bases, bases)
      try winner.save(db)
      guard winner.correction != loser.correction else { continue }
      let field = row.correction.field.queryName
      var editor = JournalEditor(
        db, now: now, summary: "two recordings became one: the earlier of two corrections of \(field) was dropped")
      try editor.note(loser, became: winner)
      lost.append(field)
    }
    return lost
  }

  /// Moves the attributes of a recording to another one.
  ///
  /// - Returns: the number of attributes that were moved, and the new names of those that have another value there.
  package func moveAttributes(
    from old: ContentHash, to new: ContentHash, _ editor: inout JournalEditor
  ) throws -> (count: Int, renamed: [String]) {
    var renamed: [String] = []
    let rows = try AttributeRow.fetchAll(of: old, db)
    for row in rows {
      var (moved, number) = (row, 1)
      moved.recording = new
      var own = try AttributeRow.fetch(row.name, of: new, by: row.personID, db)
      while let known = own, known != moved {
        number += 1
        moved.name = "\(row.name)_\(number)"
        own = try AttributeRow.fetch(moved.name, of: new, by: row.personID, db)
      }
      if number > 1 { renamed.append(moved.name) }
      try editor.remove(row)
      if own == nil { try editor.put(moved, insteadOf: nil) }
    }
    return (rows.count, renamed)
  }

  // MARK: - One recording that was several

  /// Copies what was decided about a hash to another recording.
  ///
  /// - Returns: whether there was anything.
  package func copyAll(about hash: ContentHash, to id: Int64, _ key: ContentHash) throws -> Bool {
    var isAny = false
    for row in try AssignmentRow.fetchAll(about: hash, db) {
      let copy = row.with(row.subject.with(recording: key))
      guard try AssignmentRow.fetch(copy.key, db) == nil else { continue }
      isAny = true
      var editor = JournalEditor(
        db, now: now, summary: "'\(row.subject.label)' turned out to be several recordings")
      try editor.put(copy, insteadOf: nil)
    }
    for row in try CorrectionRow.fetchAll(of: hash, db) {
      let copy = row.with(CorrectionSubject(recording: key))
      guard try CorrectionRow.fetch(row.correction.field, of: copy.subject, db) == nil else { continue }
      isAny = true
      var editor = JournalEditor(
        db, now: now, summary: "corrections of \(row.correction.field) copied to a recording that was split")
      try editor.put(copy, insteadOf: nil)
    }
    guard let original = try RecordingKeys.id(of: hash, db) else { return isAny }
    try run(
      """
      INSERT INTO attribute (audio_id, name, person_id, value)
      SELECT :new, name, person_id, value FROM attribute WHERE audio_id = :old
      ON CONFLICT DO NOTHING
      """, ["new": id, "old": original])
    isAny = isAny || db.changesCount > 0
    let lists = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT list_id FROM list_entry AS entry WHERE audio_id = ?1
             AND NOT EXISTS (SELECT 1 FROM list_entry WHERE list_id = entry.list_id AND audio_id = ?2)
          """), arguments: [original, id])
    for list in lists { try addToList(list, id, after: original) }
    return isAny || !lists.isEmpty
  }

  /// Adds a recording to a list behind each place of another one.
  private func addToList(_ list: Int64, _ id: Int64, after original: Int64) throws {
    let entries = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT audio_id FROM list_entry WHERE list_id = ? ORDER BY position"),
      arguments: [list])
    try run("DELETE FROM list_entry WHERE list_id = :list", ["list": list])
    for (position, entry) in entries.flatMap({ $0 == original ? [$0, id] : [$0] }).enumerated() {
      try run(
        "INSERT INTO list_entry (list_id, position, audio_id) VALUES (:list, :position, :audio)",
        ["list": list, "position": position, "audio": entry])
    }
  }

  /// Whether users decided something about a recording.
  package func isDecided(_ id: Int64) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM list_entry WHERE audio_id = :audio)
              OR EXISTS (SELECT 1 FROM attribute WHERE audio_id = :audio)
              OR EXISTS (SELECT 1 FROM correction
                          WHERE scope = 'recording' AND subject = (SELECT hash FROM audio WHERE id = :audio))
              OR EXISTS (SELECT 1 FROM preset_assignment
                          WHERE scope IN ('part', 'track') AND artist = '' AND album = ''
                            AND hash = (SELECT hash FROM audio WHERE id = :audio))
          """), arguments: ["audio": id]) ?? false
  }

  private func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
