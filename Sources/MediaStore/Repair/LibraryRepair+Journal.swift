internal import GRDB
internal import MediaModel

extension LibraryRepair {
  /// Makes the journal of presets lead to the rows that were saved: a change that cannot be read cannot be undone and goes,
  /// and what the rest says otherwise becomes a change of its own, so that an undo gives the other version.
  mutating func settleJournal(_ db: Database) throws {
    guard source.trees["preset_change"] != nil else { return }
    for change in try PresetJournal(db).damaged.keys.sorted() {
      try drop("preset_change_row", where: "change_id = \(change)", db)
      try drop("preset_change", where: "id = \(change)", db)
    }
    try settleNames(db)
    let now = try Int64.fetchOne(db, sql: "SELECT unixepoch()") ?? 0
    var editor = PresetEditor(db, now: now, summary: "repair of a damaged library")
    let journal = try PresetJournal(db)
    for (id, written) in journal.presets.sorted(by: { $0.key < $1.key }) {
      let saved = try PresetRow.fetch(id, db)
      guard saved != written else { continue }
      try editor.note(written, became: saved)
      contradictions.append("preset \((saved ?? written)?.name ?? "\(id)")")
    }
    for (subject, written) in journal.assignments.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let saved = try AssignmentRow.fetch(subject, db)
      guard saved != written else { continue }
      try editor.note(written, became: saved)
      contradictions.append("the assignment of \(written?.subject ?? subject)")
    }
  }

  /// Presets are found by a key that follows from their name.
  private func settleNames(_ db: Database) throws {
    for row in try Row.fetchAll(db, sql: "SELECT \(PresetRow.columns), name_key FROM preset ORDER BY id") {
      var preset = try PresetRow(row: row)
      guard try row["name_key"] != PresetRow.key(preset.name) else { continue }
      var number = 1
      while try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM preset WHERE name_key = ? AND id <> ?)",
        arguments: [PresetRow.key(preset.name), preset.id]) == true
      {
        number += 1
        preset.name = try MergeWriter.numbered(row["name"], number) { (try? PresetName($0)) != nil }
      }
      try preset.save(db)
    }
  }
}
