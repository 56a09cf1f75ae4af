package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
package import MediaStore

/// A preset of the library, or one that comes with the program.
package struct StoredPreset: Hashable, Sendable {
  /// nil for a preset of the program, which can be copied but neither changed nor deleted.
  package var id: Int64?
  package var name: PresetName
  /// As it was written, perhaps by a newer version. The name in it is not used.
  package var document: String
  /// Seconds since 1970; nil for a preset of the program.
  package var changedAt: Int64?

  package var isBuiltIn: Bool { id == nil }

  /// - Throws: ``StoreError/unreadablePreset(_:reason:)`` for a document that this version of the program cannot read.
  package func preset() throws(StoreError) -> Preset {
    do throws(PresetError) {
      return Preset(name: name, chain: try Preset(json: Array(document.utf8)).chain)
    } catch {
      throw .unreadablePreset(name.text, reason: error.description)
    }
  }

  init(id: Int64?, name: PresetName, document: String, changedAt: Int64?) {
    self.id = id
    self.name = name
    self.document = document
    self.changedAt = changedAt
  }

  init(builtIn preset: Preset) { self.init(id: nil, name: preset.name, document: preset.document.text, changedAt: nil) }
}

/// A row of `preset`, as the table and the journal have it.
package struct PresetRow: Equatable {
  package var id: Int64
  package var name: String
  package var document: String
  package var createdAt: Int64
  package var changedAt: Int64

  package static let columns = "id, name, document, created_at, changed_at"

  /// The unique key of a name, in a normal form of Unicode.
  package static func key(_ name: String) -> String {
    name.precomposedStringWithCanonicalMapping.lowercased().precomposedStringWithCanonicalMapping
  }

  package init(id: Int64, name: String, document: String, createdAt: Int64, changedAt: Int64) {
    self.id = id
    self.name = name
    self.document = document
    self.createdAt = createdAt
    self.changedAt = changedAt
  }

  package init(row: Row) throws {
    try self.init(
      id: row["id"], name: row["name"], document: row["document"], createdAt: row["created_at"],
      changedAt: row["changed_at"])
  }

  package var json: JSONValue {
    .object([
      "id": .integer(id), "name": .string(name), "document": .string(document), "created_at": .integer(createdAt),
      "changed_at": .integer(changedAt),
    ])
  }

  /// nil for values that `json` did not write.
  package init?(json: JSONValue) {
    guard case .integer(let id) = json["id"], let name = json["name"]?.string,
      let document = json["document"]?.string, case .integer(let createdAt) = json["created_at"],
      case .integer(let changedAt) = json["changed_at"]
    else { return nil }
    self.init(id: id, name: name, document: document, createdAt: createdAt, changedAt: changedAt)
  }

  package static func fetch(_ id: Int64, _ db: Database) throws -> PresetRow? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM preset WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [id]).map(PresetRow.init(row:))
  }

  /// Inserts the row, or replaces the one with its id.
  package func save(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO preset (id, name_key, name, document, created_at, changed_at)
        VALUES (:id, :key, :name, :document, :created, :changed)
        ON CONFLICT (id) DO UPDATE
           SET name_key = excluded.name_key, name = excluded.name, document = excluded.document,
               created_at = excluded.created_at, changed_at = excluded.changed_at
        """
    ).execute(arguments: [
      "id": id, "key": Self.key(name), "name": name, "document": document, "created": createdAt, "changed": changedAt,
    ])
  }

  package func delete(_ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM preset WHERE id = ?").execute(arguments: [id])
  }
}
