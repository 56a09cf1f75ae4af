internal import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore

/// What people say the values of tags are, whatever files say (docs/corrections.md).
package struct Corrections {
  package let store: MediaStore
}

extension MediaStore {
  /// Its corrections of tags.
  package var corrections: Corrections { Corrections(store: self) }
}

/// How a conflict is settled: a file's tag has changed since it was corrected.
package enum CorrectionChoice: String, CaseIterable, Sendable {
  /// The correction stays, for what files say now.
  case mine
  /// The correction goes.
  case files
}

extension Corrections {
  /// Corrects files as one change in the journal.
  ///
  /// What belongs to a recording counts for all of its files; of several copies that are named, the first one whose values change
  /// says what they were.
  ///
  /// - Parameters:
  ///   - ids: Of files, each once.
  ///   - isDryRun: Whether nothing is written.
  package func correct(
    _ edit: CorrectionEdit, ofFiles ids: [Int64], isDryRun: Bool = false
  ) throws(StoreError) -> CorrectionReport {
    try apply([.edit(edit)], toFiles: ids, isDryRun: isDryRun)
  }

  /// What is done about some fields.
  package enum Action: Hashable, Sendable {
    case edit(CorrectionEdit)
    /// Removes corrections; nil for those of all fields.
    case revert([CorrectionField]?)
    /// Settles conflicts; nil for those of all fields.
    case resolve(CorrectionChoice, [CorrectionField]?)

    /// nil for all.
    package var fields: [CorrectionField]? {
      switch self {
      case .edit(let edit): edit.fields
      case .revert(let fields), .resolve(_, let fields): fields
      }
    }

    /// For the journal.
    var summary: String {
      switch self {
      case .edit(let edit): edit.summary
      case .revert: "revert corrections"
      case .resolve(.mine, _): "resolve conflicts with the corrections"
      case .resolve(.files, _): "resolve conflicts with the files' tags"
      }
    }
  }

  /// Corrects files in several ways as one change in the journal.
  ///
  /// - Parameter actions: About fields of which none is in two of them.
  package func apply(
    _ actions: [Action], toFiles ids: [Int64], isDryRun: Bool = false
  ) throws(StoreError) -> CorrectionReport {
    let summary =
      actions.count == 1 ? actions[0].summary : CorrectionEdit.summary(of: actions.compactMap(\.fields).flatMap(\.self))
    return try change(summary, isDryRun: isDryRun) { db in
      var plan = try CorrectionPlan(db, now: store.now, fileCount: ids.count)
      for action in actions {
        switch action {
        case .edit(let edit): try plan.add(edit, ofFiles: ids)
        case .revert(let fields): try plan.revert(fields.map(Set.init), ofFiles: ids)
        case .resolve(let choice, let fields): try plan.resolve(choice, fields.map(Set.init), ofFiles: ids)
        }
      }
      return plan
    }
  }

  /// Corrects files, each set of them in a way of its own, as one change in the journal.
  ///
  /// - Parameters:
  ///   - edits: Each with its files; no file is in two of one field.
  ///   - summary: For the journal.
  package func correct(
    _ edits: [(edit: CorrectionEdit, fileIDs: [Int64])], _ summary: String, isDryRun: Bool = false
  ) throws(StoreError) -> CorrectionReport {
    try change(summary, isDryRun: isDryRun) { db in
      var plan = try CorrectionPlan(db, now: store.now, fileCount: edits.reduce(0) { $0 + $1.fileIDs.count })
      for (edit, ids) in edits { try plan.add(edit, ofFiles: ids) }
      return plan
    }
  }

  /// Settles the conflicts of files as one change in the journal.
  package func resolve(
    _ choice: CorrectionChoice, ofFiles ids: [Int64], isDryRun: Bool = false
  ) throws(StoreError) -> CorrectionReport {
    try apply([.resolve(choice, nil)], toFiles: ids, isDryRun: isDryRun)
  }

  /// Removes corrections of files as one change in the journal: what the files say counts again.
  ///
  /// - Parameter fields: nil for all.
  package func revert(
    _ fields: [CorrectionField]?, ofFiles ids: [Int64], isDryRun: Bool = false
  ) throws(StoreError) -> CorrectionReport {
    try apply([.revert(fields)], toFiles: ids, isDryRun: isDryRun)
  }

  private func change(
    _ summary: String, isDryRun: Bool, _ plan: (Database) throws -> CorrectionPlan
  ) throws(StoreError) -> CorrectionReport {
    if isDryRun {
      let (report, mayMove) = try store.read { db in
        let plan = try plan(db)
        return (plan.report, try plan.movesNames && GroupDecisions.exist(db))
      }
      // What moves is known once albums have been looked for, so it is done, and taken back.
      guard mayMove else { return report }
      return try store.rehearse { db in
        var editor = JournalEditor(db, now: store.now, summary: summary)
        return try perform(plan(db), &editor)
      }
    }
    return try store.edit(summary) { editor in try perform(plan(editor.db), &editor) }
  }

  private func perform(_ plan: CorrectionPlan, _ editor: inout JournalEditor) throws -> CorrectionReport {
    let decisions = try plan.movesNames ? GroupDecisions.all(editor.db) : []
    for change in plan.changes {
      if let after = change.after { try editor.put(after, insteadOf: change.before) }
      if change.after == nil, let before = change.before { try editor.remove(before) }
    }
    guard !decisions.isEmpty else { return plan.report }
    try CorrectionWriter.settle(editor.db)
    try ArtistDecisions.follow(plan.renames.all, &editor)
    try store.settleAlbums(editor.db)
    var report = plan.report
    report.movedDecisionCount = try GroupDecisions.movedCount(since: decisions, editor.db)
    return report
  }
}

/// The corrections that a command makes, worked out before anything is written.
struct CorrectionPlan {
  struct Change {
    var before: CorrectionRow?
    /// nil to remove it.
    var after: CorrectionRow?
  }

  let db: Database
  let now: Int64
  private(set) var changes: [Change] = []
  /// Names of artists that become others.
  private(set) var renames: ArtistRenames
  /// Whether albums or artists can be called otherwise after it.
  var movesNames: Bool {
    changes.contains { Self.ofGroups.contains(($0.after ?? $0.before)?.correction.field.name ?? "") }
  }
  private(set) var report: CorrectionReport
  private var changed: Set<Int64> = []
  private var named: Set<Int64> = []
  private var copies: Set<Int64> = []
  private let names: [String: Int64]

  init(_ db: Database, now: Int64, fileCount: Int) throws {
    (self.db, self.now) = (db, now)
    report = CorrectionReport()
    report.fileCount = fileCount
    renames = try ArtistRenames(db)
    names = try Dictionary(
      Row.fetchAll(db, sql: "SELECT name, id FROM tag_name").map { try ($0[0] as String, $0[1] as Int64) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A file that is named, and those of its recording.
  private struct Place {
    var fileID: Int64
    var subject: CorrectionSubject
    var recordingID: Int64?
  }

  private func place(of id: Int64, _ scope: CorrectionField.Scope) throws -> Place? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT file.key, audio.hash, audio.id FROM file LEFT JOIN audio ON audio.id = audio_id WHERE file.id = ?"),
      arguments: [id])
    guard let row, let bytes: Data = try row[scope == .file ? 0 : 1] else { return nil }
    return try Place(
      fileID: id, subject: CorrectionSubject(scope: scope, bytes: bytes), recordingID: scope == .file ? nil : row[2])
  }

  // MARK: - Values

  mutating func add(_ edit: CorrectionEdit, ofFiles ids: [Int64]) throws {
    named.formUnion(ids)
    for field in edit.fields {
      var unknownFileCount = 0
      var decided: [CorrectionSubject: Bool] = [:]
      for id in ids {
        guard let place = try place(of: id, field.scope) else {
          unknownFileCount += 1
          continue
        }
        if decided[place.subject] == true { changed.insert(id) }
        guard decided[place.subject] != true else { continue }
        let present = try values(of: field, ofFile: id, own: false)
        let isChanged = try add(edit.values(of: field, insteadOf: present), insteadOf: present, field, place, edit)
        decided[place.subject] = isChanged
        if isChanged { changed.insert(id) }
      }
      report.unknownFileCount = max(report.unknownFileCount, unknownFileCount)
    }
    report.changedFileCount = changed.count
    report.copyCount = copies.count
  }

  /// Notes the files of a recording that are not named and get other values.
  private mutating func noteCopies(_ values: [String], _ field: CorrectionField, _ place: Place) throws {
    guard let recording = place.recordingID else { return }
    for id in try fileIDs(ofRecording: recording) where !named.contains(id) && !copies.contains(id) {
      if try self.values(of: field, ofFile: id, own: false) != values { copies.insert(id) }
    }
  }

  private func fileIDs(ofRecording id: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM file WHERE audio_id = ? AND missing_since IS NULL ORDER BY id"),
      arguments: [id])
  }

  /// - Returns: Whether something about the subject changes.
  private mutating func add(
    _ values: [String], insteadOf present: [String], _ field: CorrectionField, _ place: Place, _ edit: CorrectionEdit
  ) throws -> Bool {
    let before = try CorrectionRow.fetch(field, of: place.subject, db)
    if case .set = edit {} else if values == present { return false }
    let bases = try self.bases(of: field, place)
    if bases == [values] {
      guard let before else { return false }
      changes.append(Change(before: before, after: nil))
    } else {
      let correction = Correction(field: field, values: values, bases: bases)
      if let before, before.correction.values == values {
        // Said again after files have changed, it is a decision about what they say now.
        guard bases.contains(where: { before.correction.state(ofTag: $0) == .conflict }) else { return false }
      }
      changes.append(
        Change(before: before, after: CorrectionRow(subject: place.subject, correction: correction, correctedAt: now)))
    }
    report.correctionCount += 1
    try noteCopies(values, field, place)
    if ArtistRenames.tagNames.contains(field.name) {
      let texts: [String: String]? = if case .replace(_, let texts) = edit { texts } else { nil }
      renames.note(present, became: values, replacing: texts, isSaid: true)
    }
    return true
  }

  /// Fields by which albums and artists are called.
  private static let ofGroups = ArtistRenames.tagNames.union([
    "ALBUM", "COMPILATION", "TITLE", "TRACKNUMBER", "DISCNUMBER", "RELEASETYPE", "MUSICBRAINZ_ALBUMID",
    "MUSICBRAINZ_RELEASEGROUPID", "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMARTISTID",
  ])

  /// What the files say, each list once.
  private func bases(of field: CorrectionField, _ place: Place) throws -> [[String]] {
    guard let recording = place.recordingID else { return [try values(of: field, ofFile: place.fileID, own: true)] }
    let ids = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM file WHERE audio_id = ? ORDER BY id"), arguments: [recording])
    return try ids.reduce(into: []) { bases, id in
      let values = try self.values(of: field, ofFile: id, own: true)
      if !bases.contains(values) { bases.append(values) }
    }
  }

  /// The values of a field in a file: as they count, or as the file itself has them.
  private func values(of field: CorrectionField, ofFile id: Int64, own isOwn: Bool) throws -> [String] {
    if isOwn,
      let text = try String.fetchOne(
        db.cachedStatement(sql: "SELECT tags FROM own_tag WHERE file_id = ? AND field = ?"),
        arguments: [id, field.name]),
      let properties = StoredCorrections.properties(text)
    {
      return field.values(in: Tags(properties))
    }
    // The field of numbers has those of totals, too, and an artist the artists.
    let wanted = (field.tagNames + field.relatedTagNames).compactMap { name in names[name].map { (name, $0) } }
    var properties: [Tags.Property] = []
    for (name, nameID) in wanted {
      let values = try String.fetchAll(
        db.cachedStatement(sql: "SELECT value FROM tag WHERE file_id = ? AND name_id = ? ORDER BY position"),
        arguments: [id, nameID])
      if !values.isEmpty { properties.append(Tags.Property(name: name, values: values)) }
    }
    return field.values(in: Tags(properties))
  }

  // MARK: - What was corrected

  mutating func resolve(_ choice: CorrectionChoice, _ fields: Set<CorrectionField>?, ofFiles ids: [Int64]) throws {
    try forEachCorrection(ofFiles: ids, where: { $0 == .conflict }) { plan, field, place in
      guard fields?.contains(field) != false, let before = try CorrectionRow.fetch(field, of: place.subject, plan.db)
      else { return }
      guard choice == .mine else { return try plan.remove(before, field, place) }
      var after = before
      after.correction.bases = try plan.bases(of: field, place)
      after.correctedAt = plan.now
      plan.changes.append(Change(before: before, after: after))
    }
  }

  mutating func revert(_ fields: Set<CorrectionField>?, ofFiles ids: [Int64]) throws {
    try forEachCorrection(ofFiles: ids, where: { _ in true }) { plan, field, place in
      guard fields?.contains(field) != false, let before = try CorrectionRow.fetch(field, of: place.subject, plan.db)
      else { return }
      try plan.remove(before, field, place)
    }
  }

  private mutating func remove(_ row: CorrectionRow, _ field: CorrectionField, _ place: Place) throws {
    changes.append(Change(before: row, after: nil))
    guard ArtistRenames.tagNames.contains(field.name) else { return }
    renames.note(
      row.correction.values, became: try values(of: field, ofFile: place.fileID, own: true), isSaid: true)
  }

  /// Calls `body` once for each correction that files have in a state.
  private mutating func forEachCorrection(
    ofFiles ids: [Int64], where isWanted: (Correction.State) -> Bool,
    _ body: (inout CorrectionPlan, CorrectionField, Place) throws -> Void
  ) throws {
    struct Key: Hashable {
      var subject: CorrectionSubject
      var field: CorrectionField
    }
    var seen: [Key: Bool] = [:]
    for id in ids {
      for own in try StoredCorrections.own(ofFile: id, db) where isWanted(own.state) {
        guard let place = try place(of: id, own.field.scope) else { continue }
        let key = Key(subject: place.subject, field: own.field)
        if seen[key] == nil {
          let count = changes.count
          try body(&self, own.field, place)
          seen[key] = changes.count > count
        }
        if seen[key] == true { changed.insert(id) }
      }
    }
    report.correctionCount = changes.count
    report.changedFileCount = changed.count
  }
}
