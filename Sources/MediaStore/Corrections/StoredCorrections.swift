package import Base
package import Foundation
package import LibraryDatabase
package import MediaModel

/// Corrections and what files say themselves, as `correction` and `own_tag` have them.
package enum StoredCorrections {
  /// The corrections that a file has, in the order of their fields.
  ///
  /// - Parameters:
  ///   - key: Of the file.
  ///   - hash: Of its recording.
  package static func all(ofFile key: Data?, recording hash: Data?, _ db: Database) throws -> [Correction] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT field, value, base FROM correction WHERE scope = 'recording' AND subject = ?
          UNION ALL SELECT field, value, base FROM correction WHERE scope = 'file' AND subject = ?
          ORDER BY field
          """), arguments: [hash, key]
    ).compactMap { row in
      // What is damaged counts for nothing; `doctor` names it.
      guard let field = CorrectionField(try row[0] as String), let values = try texts(row[1] as String),
        let bases = try lists(row[2] as String)
      else { return nil }
      return Correction(field: field, values: values, bases: bases)
    }
  }

  /// What a file says about its corrected fields, in their order.
  package static func own(ofFile id: Int64, _ db: Database) throws -> [CorrectedTags.Own] {
    try Row.fetchAll(
      db.cachedStatement(sql: "SELECT field, tags, state FROM own_tag WHERE file_id = ? ORDER BY field"),
      arguments: [id]
    ).compactMap { row in
      guard let field = CorrectionField(try row[0] as String), let state = Correction.State(rawValue: try row[2]),
        let properties = try properties(row[1])
      else { return nil }
      return CorrectedTags.Own(field: field, properties: properties, state: state)
    }
  }

  /// The tags that a file has itself.
  package static func ownTags(ofFile id: Int64, _ db: Database) throws -> Tags {
    CorrectedTags.ownTags(in: try Tags(ofFile: id, db), try own(ofFile: id, db))
  }

  // MARK: - JSON

  package static func json(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  package static func json(_ lists: [[String]]) -> JSONValue { .array(lists.map(json)) }

  package static func json(_ properties: [Tags.Property]) -> JSONValue {
    .object(properties.map { .init($0.name, json($0.values)) })
  }

  /// nil for anything but a list of texts.
  package static func texts(_ value: JSONValue?) -> [String]? {
    guard let values = value?.array else { return nil }
    let texts = values.compactMap(\.string)
    return texts.count == values.count ? texts : nil
  }

  package static func lists(_ value: JSONValue?) -> [[String]]? {
    guard let values = value?.array else { return nil }
    let lists = values.compactMap { texts($0) }
    return lists.count == values.count ? lists : nil
  }

  package static func texts(_ text: String) -> [String]? { texts(parsed(text)) }

  package static func lists(_ text: String) -> [[String]]? { lists(parsed(text)) }

  package static func properties(_ text: String) -> [Tags.Property]? {
    parsed(text)?.members?.map { Tags.Property(name: $0.key, values: texts($0.value) ?? []) }
  }

  private static func parsed(_ text: String) -> JSONValue? { try? JSONValue(parsing: Array(text.utf8)) }
}
