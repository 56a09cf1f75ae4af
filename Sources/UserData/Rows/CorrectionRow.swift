package import Base
package import Foundation
package import LibraryDatabase
package import MediaModel
internal import MediaStore

/// What a correction is about.
package struct CorrectionSubject: Hashable, Sendable {
  package var scope: CorrectionField.Scope
  /// The hash of a recording, or the key of a file: 16 bytes.
  package var bytes: Data

  package init(scope: CorrectionField.Scope, bytes: Data) {
    self.scope = scope
    self.bytes = bytes
  }

  package init(recording hash: ContentHash) { self.init(scope: .recording, bytes: Data(hash.bytes)) }

  /// nil for a file.
  package var recording: ContentHash? { scope == .recording ? ContentHash(bytes: bytes) : nil }
}

/// A row of `correction`, as the table and the journal have it.
package struct CorrectionRow: Hashable, Sendable {
  package var subject: CorrectionSubject
  package var correction: Correction
  /// Seconds since 1970.
  package var correctedAt: Int64

  package init(subject: CorrectionSubject, correction: Correction, correctedAt: Int64) {
    self.subject = subject
    self.correction = correction
    self.correctedAt = correctedAt
  }

  /// What ``init(row:)`` reads.
  package static let columns = "scope, subject, field, value, base, corrected_at"

  /// nil for a row that is damaged.
  package init?(row: Row) throws {
    guard let scope = CorrectionField.Scope(rawValue: try row[0]), let field = CorrectionField(try row[2] as String),
      let values = StoredCorrections.texts(try row[3] as String),
      let bases = StoredCorrections.lists(try row[4] as String)
    else { return nil }
    try self.init(
      subject: CorrectionSubject(scope: scope, bytes: row[1]),
      correction: Correction(field: field, values: values, bases: bases), correctedAt: row[5])
  }

  package static func fetch(
    _ field: CorrectionField, of subject: CorrectionSubject, _ db: Database
  ) throws -> CorrectionRow? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(columns) FROM correction WHERE scope = ? AND subject = ? AND field = ?"),
      arguments: [subject.scope.rawValue, subject.bytes, field.name]
    ).flatMap(CorrectionRow.init(row:))
  }

  /// All corrections of a recording, by field.
  package static func fetchAll(of recording: ContentHash, _ db: Database) throws -> [CorrectionRow] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT \(columns) FROM correction WHERE scope = 'recording' AND subject = ? ORDER BY field"),
      arguments: [Data(recording.bytes)]
    ).compactMap(CorrectionRow.init(row:))
  }

  package func save(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO correction (scope, subject, field, value, base, corrected_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (scope, subject, field) DO UPDATE
           SET value = excluded.value, base = excluded.base, corrected_at = excluded.corrected_at
        """
    ).execute(arguments: [
      subject.scope.rawValue, subject.bytes, correction.field.name, StoredCorrections.json(correction.values).text,
      StoredCorrections.json(correction.bases).text, correctedAt,
    ])
  }

  package func delete(_ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM correction WHERE scope = ? AND subject = ? AND field = ?")
      .execute(arguments: [subject.scope.rawValue, subject.bytes, correction.field.name])
  }

  package func with(_ subject: CorrectionSubject) -> CorrectionRow {
    CorrectionRow(subject: subject, correction: correction, correctedAt: correctedAt)
  }
}

extension CorrectionRow {
  package var json: JSONValue {
    .object([
      "scope": .string(subject.scope.rawValue),
      "subject": .string(ContentHash(bytes: subject.bytes)?.description),
      "field": .string(correction.field.name), "value": StoredCorrections.json(correction.values),
      "base": StoredCorrections.json(correction.bases), "corrected_at": .integer(correctedAt),
    ])
  }

  package init?(json: JSONValue) {
    guard let scope = json["scope"]?.string.flatMap(CorrectionField.Scope.init(rawValue:)),
      let subject = json["subject"]?.string.flatMap(ContentHash.init(hexadecimal:)),
      let field = json["field"]?.string.flatMap(CorrectionField.init),
      let values = StoredCorrections.texts(json["value"]), let bases = StoredCorrections.lists(json["base"]),
      case .integer(let correctedAt) = json["corrected_at"]
    else { return nil }
    self.init(
      subject: CorrectionSubject(scope: scope, bytes: Data(subject.bytes)),
      correction: Correction(field: field, values: values, bases: bases), correctedAt: correctedAt)
  }
}
