internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel
internal import MediaStore
internal import UserData

// MARK: - Corrections

extension MergeWriter {
  /// Adds corrections of tags, and lays them over the files; those of this library stay.
  func mergeCorrections(_ editor: inout JournalEditor) throws {
    var renamed: [(before: [String], after: [String])] = []
    try rows.forEach("SELECT \(CorrectionRow.columns) FROM correction ORDER BY scope, subject, field") { row in
      guard var other = try CorrectionRow(row: row), let subject = try subject(of: other) else { return }
      other = other.with(subject)
      guard let own = try CorrectionRow.fetch(other.correction.field, of: subject, db) else {
        progress.report.corrections.added += 1
        if ArtistRenames.tagNames.contains(other.correction.field.name) {
          renamed += other.correction.bases.map { ($0, other.correction.values) }
        }
        return try editor.put(other, insteadOf: nil)
      }
      guard own.correction.values != other.correction.values else {
        progress.report.corrections.same += 1
        // What files of both libraries said is no conflict.
        var united = own
        united.correction.bases += other.correction.bases.filter { !own.correction.bases.contains($0) }
        if united != own { try editor.put(united, insteadOf: own) }
        return
      }
      progress.report.corrections.different += 1
      progress.report.conflicts.append(
        .correction(
          other.correction.field, of: try label(of: subject), kept: own.correction.values,
          other: other.correction.values))
    }
    let strangers = try Data.fetchAll(
      db,
      sql: """
        SELECT DISTINCT subject FROM correction JOIN former_hash ON former_hash.hash = subject
         WHERE scope = 'recording' ORDER BY subject
        """)
    for hash in strangers.compactMap({ ContentHash(bytes: $0) }) where try RecordingKeys.id(of: hash, db) == nil {
      guard let current = try FormerHashes.current(of: hash, db).first else { continue }
      try decisions.moveCorrections(from: hash, to: current)
    }
    // Files came with the corrections of their library laid over them, which may not be those of this one.
    try CorrectionWriter.settleAll(db)
    var renames = try ArtistRenames(db)
    for (before, after) in renamed { renames.note(before, became: after, isSaid: true) }
    try ArtistDecisions.follow(renames.all, &editor)
  }

  /// What a correction of the other library is about here: a recording by its present hash, or the file at the same path; nil for a
  /// file that has another recording here.
  private func subject(of row: CorrectionRow) throws -> CorrectionSubject? {
    if let hash = row.subject.recording {
      guard try RecordingKeys.id(of: hash, db) == nil, let current = try FormerHashes.current(of: hash, db).first else {
        return row.subject
      }
      return CorrectionSubject(recording: current)
    }
    guard let file = try rows.first("SELECT root_id, path, audio_id FROM file WHERE key = ?", [row.subject.bytes]),
      let place = try progress.places[file[0]]
    else { return row.subject }
    let path = try place.prefix.appending(BytePath(file[1] as Data))
    let own = try first(
      "SELECT key, audio_id FROM file WHERE root_id = ? AND path = ?", [place.rootID, path.data])
    guard let own, let key: Data = try own[0] else { return row.subject }
    let recording: Int64? = try (file[2] as Int64?).map { try recordingID($0) }
    guard try own[1] as Int64? == recording else { return nil }
    return CorrectionSubject(scope: .file, bytes: key)
  }

  private func label(of subject: CorrectionSubject) throws -> String {
    let column = subject.scope == .file ? "file.key" : "audio.hash"
    let name: String? = try first(
      """
      SELECT root.path_text || '/' || file.path_text
        FROM file JOIN root ON root.id = root_id LEFT JOIN audio ON audio.id = audio_id
       WHERE \(column) = ? ORDER BY missing_since IS NOT NULL, root_id, file.path LIMIT 1
      """, [subject.bytes])?[0]
    return name ?? ContentHash(bytes: subject.bytes)?.description ?? ""
  }
}
