internal import Foundation
internal import GRDB
internal import MediaModel

/// What users decided, when several recordings turn out to be one, or one to be several.
extension IdentityWriter {
  // MARK: - Several recordings that are one

  /// Moves everything of a recording to another one, and deletes its row.
  mutating func join(_ id: Int64, _ old: ContentHash, to other: Int64, _ new: ContentHash) throws {
    let replaced = try moveAssignment(from: old, to: new)
    // The journal finds what it has about the recording by its former hash.
    var unwritten = JournalEditor(db, now: now, summary: nil)
    let renamed = try moveAttributes(from: old, to: new, &unwritten).renamed
    let rows: StatementArguments = ["old": id, "new": other]
    try run("UPDATE list_entry SET audio_id = :new WHERE audio_id = :old", rows)
    try run("UPDATE stream SET audio_id = :new WHERE audio_id = :old", rows)
    try run("UPDATE file SET audio_id = :new WHERE audio_id = :old", rows)
    try run("UPDATE OR IGNORE forced_recording SET audio_id = :new WHERE audio_id = :old", rows)
    try run(
      "UPDATE audio SET added_at = min(added_at, (SELECT added_at FROM audio WHERE id = :old)) WHERE id = :new", rows)
    try moveProducts(rows)
    try run("DELETE FROM audio WHERE id = :old", ["old": id])
    try remember(old, as: new)
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

  /// Moves the attributes of a recording to another one.
  ///
  /// - Returns: the number of attributes that were moved, and the new names of those that have another value there.
  func moveAttributes(
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

  /// - Returns: whether there was anything.
  func copyDecisions(about hash: ContentHash, to id: Int64, _ key: ContentHash) throws -> Bool {
    var isAny = false
    for row in try AssignmentRow.fetchAll(about: hash, db) {
      let copy = row.with(row.subject.with(recording: key))
      guard try AssignmentRow.fetch(copy.key, db) == nil else { continue }
      isAny = true
      var editor = JournalEditor(
        db, now: now, summary: "'\(row.subject.label)' turned out to be several recordings")
      try editor.put(copy, insteadOf: nil)
    }
    guard let original = try recordingID(hash) else { return isAny }
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
}
