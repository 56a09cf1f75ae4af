package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
package import UserData

/// A field in which a file and the library differ, or could.
package struct CorrectedField: Hashable, Sendable {
  package var field: CorrectionField
  /// What the file says; empty for nothing.
  package var fileValues: [String]
  /// What counts.
  package var values: [String]
  package var state: Correction.State
  /// Seconds since 1970.
  package var correctedAt: Int64

  package init(
    field: CorrectionField, fileValues: [String], values: [String], state: Correction.State, correctedAt: Int64
  ) {
    self.field = field
    self.fileValues = fileValues
    self.values = values
    self.state = state
    self.correctedAt = correctedAt
  }
}

extension Corrections {
  /// A file with its corrections, by field.
  package struct CorrectedFile: Hashable, Sendable {
    package var fileID: Int64
    package var recordingID: Int64?
    package var path: BytePath
    package var fields: [CorrectedField]
  }

  /// The corrections of those of some files that have any, in the order of the ids.
  package func files(_ ids: [Int64]) throws(StoreError) -> [CorrectedFile] {
    try store.read { db in
      try ids.compactMap { id in
        let fields = try Self.fields(ofFile: id, db)
        guard !fields.isEmpty,
          let row = try Row.fetchOne(
            db.cachedStatement(
              sql: "SELECT root.path, file.path, audio_id FROM file JOIN root ON root.id = root_id WHERE file.id = ?"),
            arguments: [id])
        else { return nil }
        return try CorrectedFile(
          fileID: id, recordingID: row[2], path: BytePath(row[0] as Data).appending(BytePath(row[1] as Data)),
          fields: fields)
      }
    }
  }

  /// What a file says about its corrected fields, and what counts.
  static func fields(ofFile id: Int64, _ db: Database) throws -> [CorrectedField] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT own_tag.field, own_tag.tags, own_tag.state, value, corrected_at
            FROM own_tag JOIN file ON file.id = own_tag.file_id LEFT JOIN audio ON audio.id = file.audio_id
            JOIN correction ON correction.field = own_tag.field
             AND (correction.scope = 'file' AND subject = file.key OR correction.scope = 'recording' AND subject = audio.hash)
           WHERE own_tag.file_id = ? ORDER BY own_tag.field
          """), arguments: [id]
    ).compactMap { row in
      guard let field = CorrectionField(try row[0] as String), let state = Correction.State(rawValue: try row[2]),
        let properties = StoredCorrections.properties(try row[1] as String),
        let values = StoredCorrections.texts(try row[3] as String)
      else { return nil }
      return try CorrectedField(
        field: field, fileValues: field.values(in: Tags(properties)), values: values, state: state, correctedAt: row[4])
    }
  }

  /// What a file itself says, and what it would say with its corrections, but for those in conflict.
  package func tags(ofFile id: Int64) throws(StoreError) -> (own: Tags, wanted: Tags) {
    try store.read { db in
      let own = try StoredCorrections.ownTags(ofFile: id, db)
      guard
        let row = try Row.fetchOne(
          db.cachedStatement(
            sql: "SELECT file.key, audio.hash FROM file LEFT JOIN audio ON audio.id = file.audio_id WHERE file.id = ?"),
          arguments: [id])
      else { return (own, own) }
      let corrections = try StoredCorrections.all(ofFile: row[0], recording: row[1], db).filter {
        $0.state(ofTag: $0.field.values(in: own)) == .active
      }
      return (own, CorrectedTags(own, corrections).tags)
    }
  }

  /// The files with a value of a field that is exactly a text, by id; of artists, in either of their tags.
  package func files(with text: String, in field: CorrectionField) throws(StoreError) -> [Int64] {
    try store.read { db in
      let names = field.tagNames + field.relatedTagNames
      // Blanks at its ends and the form of its accents make no difference; what is found is compared again.
      let forms = [text, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
      return try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT file_id FROM tag
           WHERE name_id IN (SELECT id FROM tag_name WHERE name IN (\(names.map { _ in "?" }.joined(separator: ", "))))
             AND (\(forms.map { _ in "instr(value, ?) > 0" }.joined(separator: " OR ")))
           ORDER BY file_id
          """, arguments: StatementArguments(names + forms))
    }
  }
}

// MARK: - What to correct

extension Corrections {
  /// The values of a field that are probably one, those first that concern most files that are not missing.
  ///
  /// An album has variants only among albums of its artist.
  package func variants(of field: CorrectionField) throws(StoreError) -> [ValueVariants] {
    try store.read { db in
      guard field.name == "ALBUM" else {
        return ValueVariants.groups(
          of: try Self.values(of: field, db), areArtists: ["ARTIST", "ALBUMARTIST"].contains(field.name))
      }
      // First all titles, which an index has; then the artists of those that are like others.
      let titles = try Row.fetchAll(db, sql: "SELECT album, count(*) FROM file WHERE album IS NOT NULL GROUP BY album")
        .map { try ValueVariants.Value($0[0], fileCount: $0[1]) }
      let alike = ValueVariants.groups(of: titles, leastRatio: 1).flatMap { [$0.common] + $0.others }
      return ValueVariants.groups(of: try alike.flatMap { try Self.albums(titled: $0.text, db) })
    }
  }

  /// Makes variants the most common spelling of their group, as one change in the journal.
  package func mend(
    _ groups: [ValueVariants], of field: CorrectionField, isDryRun: Bool = false
  ) throws(StoreError) -> CorrectionReport {
    let count = groups.reduce(0) { $0 + $1.others.count }
    let summary = "correct \(count) spelling\(count == 1 ? "" : "s") of \(field.queryName)"
    guard field.name == "ALBUM" else {
      let texts = groups.flatMap { group in group.others.map { ($0.text, group.common.text) } }
      var ids: Set<Int64> = []
      for (text, _) in texts { ids.formUnion(try files(with: text, in: field)) }
      let edit = CorrectionEdit.replace(field, Dictionary(texts, uniquingKeysWith: { first, _ in first }))
      return try correct([(edit, ids.sorted())], summary, isDryRun: isDryRun)
    }
    // A title can be a variant with one artist and right with another.
    var edits: [(CorrectionEdit, [Int64])] = []
    for group in groups {
      for other in group.others {
        edits.append((.replace(field, from: other.text, to: group.common.text), try files(ofAlbum: other)))
      }
    }
    return try correct(edits, summary, isDryRun: isDryRun)
  }

  private func files(ofAlbum album: ValueVariants.Value) throws(StoreError) -> [Int64] {
    try store.read { db in
      try Int64.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT id FROM file
             WHERE album = ? AND coalesce(albumartist, artist, '') = ? AND missing_since IS NULL ORDER BY id
            """), arguments: [album.text, album.context])
    }
  }

  private static func albums(titled title: String, _ db: Database) throws -> [ValueVariants.Value] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT coalesce(albumartist, artist, '') AS context, count(*) FROM file
           WHERE album = ? AND missing_since IS NULL GROUP BY context
          """), arguments: [title]
    ).map { try ValueVariants.Value(title, fileCount: $0[1], context: $0[0]) }
  }

  /// The values of one tag. Which files are missing is read from an index: their rows are large.
  private static func values(of field: CorrectionField, _ db: Database) throws -> [ValueVariants.Value] {
    var counts: [String: Int] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT value FROM file INDEXED BY file_by_state CROSS JOIN tag
            ON tag.file_id = file.id AND tag.name_id = (SELECT id FROM tag_name WHERE name = ?)
         WHERE state <> 'missing'
        """, arguments: [field.name])
    while let row = try rows.next() { counts[try row[0], default: 0] += 1 }
    return counts.map { ValueVariants.Value($0.key.withoutBlankEnds, fileCount: $0.value) }
  }
}
