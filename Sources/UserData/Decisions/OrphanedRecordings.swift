package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
package import MediaStore

/// A recording about which users decided something, and which no file holds that is there.
package struct OrphanedRecording: Hashable, Sendable {
  package var hash: ContentHash
  /// nil if only the assignment of a preset is left of it.
  package var recordingID: Int64?
  /// What people call it; empty if nothing is known.
  package var label: String
  /// Its own preset or switch; nil if it has only entries of lists, attributes or corrections.
  package var assignment: PresetAssignment?
  /// Names, in their order.
  package var lists: [String]
  package var attributeNames: [String]
  /// The fields of its corrections, in their order.
  package var correctedFields: [CorrectionField]
  /// The missing file that holds it, absolute; nil if its files hold another recording now, or were forgotten.
  package var path: BytePath?
  /// Seconds since 1970; of that file.
  package var missingSince: Int64?
  /// nil if it was never decoded, or its analyses were forgotten.
  package var durationInSeconds: Double?
}

/// What ``Decisions/reattach(_:to:label:replacing:)`` moved.
package struct ReattachReport: Hashable, Sendable {
  /// The preset that was moved, or `off` for a switch; nil if there was none to move, or it was not moved.
  package var movedPreset: String?
  /// The preset that the recording had already and keeps, or `off`.
  package var keptPreset: String?
  /// The preset that the recording had before, or `off`.
  package var replacedPreset: String?
  package var listEntryCount = 0
  package var attributeCount = 0
  /// The new names of attributes that had another value there.
  package var renamedAttributes: [String] = []
  /// The fields whose corrections were moved, and those that had corrections there, which stay.
  package var movedCorrections: [CorrectionField] = []
  package var keptCorrections: [CorrectionField] = []
}

/// What users decided about recordings, wherever it is stored.
package struct Decisions {
  package let store: MediaStore
}

extension MediaStore {
  /// What users decided about its recordings.
  package var decisions: Decisions { Decisions(store: self) }
}

extension Decisions {
  /// The recordings with presets, entries of lists, attributes or corrections that no present file holds, by label, then by hash.
  package func orphans() throws(StoreError) -> [OrphanedRecording] {
    try store.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT hash, (SELECT id FROM audio WHERE audio.hash = a.hash) AS id FROM preset_assignment AS a
           WHERE scope IN ('part', 'track')
             AND NOT EXISTS (SELECT 1 FROM audio WHERE audio.hash = a.hash AND present_count > 0)
          UNION
          SELECT subject, (SELECT id FROM audio WHERE audio.hash = c.subject) FROM correction AS c
           WHERE scope = 'recording'
             AND NOT EXISTS (SELECT 1 FROM audio WHERE audio.hash = c.subject AND present_count > 0)
          UNION
          SELECT hash, id FROM audio
           WHERE present_count = 0
             AND id IN (SELECT audio_id FROM list_entry UNION SELECT audio_id FROM attribute)
          """)
      return try rows.compactMap { row in
        try ContentHash(bytes: row["hash"] as Data).map { try Self.orphan($0, id: row["id"], db) }
      }.sorted { ($0.label, $0.hash.description) < ($1.label, $1.hash.description) }
    }
  }

  private static func orphan(_ hash: ContentHash, id: Int64?, _ db: Database) throws -> OrphanedRecording {
    let file = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT root.path AS root_path, file.path, file.missing_since, file.title, file.artist, file.name_text
            FROM file JOIN root ON root.id = file.root_id
           WHERE file.audio_id = ? ORDER BY file.missing_since DESC, root.path, file.path, file.id LIMIT 1
          """), arguments: [id])
    var orphan = OrphanedRecording(
      hash: hash, recordingID: id, label: try file.map(label(ofFile:)) ?? "", assignment: try assignment(hash, db),
      lists: try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT name FROM list WHERE id IN (SELECT list_id FROM list_entry WHERE audio_id = ?) ORDER BY name, id
            """), arguments: [id]),
      attributeNames: try String.fetchAll(
        db.cachedStatement(sql: "SELECT name FROM attribute WHERE audio_id = ? ORDER BY name"), arguments: [id]),
      correctedFields: try CorrectionRow.fetchAll(of: hash, db).map(\.correction.field),
      path: try file.map { try BytePath($0["root_path"] as Data).appending(BytePath($0["path"] as Data)) },
      missingSince: try file?["missing_since"],
      durationInSeconds: try Double.fetchOne(
        db.cachedStatement(sql: "SELECT duration_s FROM audio WHERE id = ?"), arguments: [id]))
    let names = try AssignmentRow.fetchAll(about: hash, db).map(\.subject.label)
    if let name = names.first(where: { !$0.isEmpty }), orphan.assignment != nil || file == nil { orphan.label = name }
    return orphan
  }

  private static func assignment(_ hash: ContentHash, _ db: Database) throws -> PresetAssignment? {
    guard let row = try AssignmentRow.fetchAll(about: hash, db).first(where: { $0.subject.scope == .track })
    else { return nil }
    return PresetAssignment(
      subject: row.subject, shown: row.subject, person: try Person.otherName(row.key.personID, db),
      presetName: try presetName(of: row, db),
      isOn: row.isOn, assignedAt: row.assignedAt)
  }

  private static func presetName(of row: AssignmentRow, _ db: Database) throws -> String? {
    guard let id = row.presetID else { return row.builtIn }
    return try String.fetchOne(db.cachedStatement(sql: "SELECT name FROM preset WHERE id = ?"), arguments: [id])
  }

  /// - Parameter file: has the columns `artist`, `title` and `name_text`.
  package static func label(ofFile file: Row) throws -> String {
    guard let title: String = try file["title"], !title.isEmpty else { return try file["name_text"] }
    return [try file["artist"] as String?, title].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " - ")
  }
}

// MARK: - Moving decisions

extension Decisions {
  /// Moves what users decided about a recording to another one: its preset, its places in lists, its attributes, and corrections
  /// of fields of which the other one has none, as one change that can be undone.
  ///
  /// An attribute that has another value there gets a new name, such as `rating_2`.
  ///
  /// - Parameters:
  ///   - label: what people call the other recording.
  ///   - replaces: whether the preset is moved although the other recording has one.
  package func reattach(
    _ orphan: OrphanedRecording, to id: Int64, label: String, replacing replaces: Bool
  ) throws(StoreError) -> ReattachReport {
    try store.write(.durable) { db in
      var report = ReattachReport()
      guard let hash = try RecordingKeys.hash(of: id, db), hash != orphan.hash else { return report }
      let name = orphan.label.isEmpty ? orphan.hash.description : orphan.label
      var editor = JournalEditor(db, now: store.now, summary: "reattach the data of '\(name)' to '\(label)'")
      for row in try AssignmentRow.fetchAll(about: orphan.hash, db) {
        let subject = row.subject.with(recording: hash, label: row.subject.scope == .track ? label : nil)
        try Self.moveAssignment(row, to: subject, replaces, &editor, &report)
      }
      for entry in try ListEntryRow.fetchAll(of: orphan.hash, db) {
        try editor.remove(entry)
        try editor.put(ListEntryRow(listID: entry.listID, position: entry.position, recording: hash), insteadOf: nil)
        report.listEntryCount += 1
      }
      let moved = try DecisionWriter(db, now: store.now).moveAttributes(from: orphan.hash, to: hash, &editor)
      (report.attributeCount, report.renamedAttributes) = (moved.count, moved.renamed)
      for row in try CorrectionRow.fetchAll(of: orphan.hash, db) {
        let moved = row.with(CorrectionSubject(recording: hash))
        guard try CorrectionRow.fetch(row.correction.field, of: moved.subject, db) == nil else {
          report.keptCorrections.append(row.correction.field)
          continue
        }
        report.movedCorrections.append(row.correction.field)
        try editor.remove(row)
        try editor.put(moved, insteadOf: nil)
      }
      return report
    }
  }

  private static func moveAssignment(
    _ moved: AssignmentRow, to subject: PresetSubject, _ replaces: Bool, _ editor: inout JournalEditor,
    _ report: inout ReattachReport
  ) throws {
    let db = editor.db
    func text(_ row: AssignmentRow) throws -> String { row.isOn ? try presetName(of: row, db) ?? "" : "off" }
    let own = try AssignmentRow.fetch(moved.with(subject).key, db)
    let isEqual = own.map { ($0.presetID, $0.builtIn, $0.isOn) == (moved.presetID, moved.builtIn, moved.isOn) } ?? false
    if let own, !isEqual, !replaces {
      report.keptPreset = try text(own)
      return
    }
    _ = try editor.update(moved.key) { row in
      row = AssignmentRow(key: row.key, assignedAt: row.assignedAt)
    }
    report.movedPreset = try text(moved)
    guard let own else { return try editor.put(moved.with(subject), insteadOf: nil) }
    if !isEqual { report.replacedPreset = try text(own) }
    _ = try editor.update(moved.with(subject).key) { row in
      (row.presetID, row.builtIn, row.isOn) = (moved.presetID, moved.builtIn, moved.isOn)
    }
  }
}
