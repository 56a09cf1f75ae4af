package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
internal import MediaStore

/// A row of `attribute`, as the journal has it: the recording is named by its hash.
package struct AttributeRow: Equatable {
  package var personID = Person.ownerID
  package var recording: ContentHash
  package var name: String
  package var value: String

  package init(personID: Int64 = Person.ownerID, recording: ContentHash, name: String, value: String) {
    self.personID = personID
    self.recording = recording
    self.name = name
    self.value = value
  }

  package static func fetch(
    _ name: String, of recording: ContentHash, by personID: Int64 = Person.ownerID, _ db: Database
  ) throws -> AttributeRow? {
    let value = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT value FROM attribute
           WHERE audio_id = (SELECT id FROM audio WHERE hash = ?) AND name = ? AND person_id = ?
          """), arguments: [Data(recording.bytes), name, personID])
    return value.map { AttributeRow(personID: personID, recording: recording, name: name, value: $0) }
  }

  /// All attributes of a recording, of all persons.
  package static func fetchAll(of recording: ContentHash, _ db: Database) throws -> [AttributeRow] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT person_id, name, value FROM attribute
           WHERE audio_id = (SELECT id FROM audio WHERE hash = ?) ORDER BY name, person_id
          """), arguments: [Data(recording.bytes)]
    ).map { try AttributeRow(personID: $0[0], recording: recording, name: $0[1], value: $0[2]) }
  }

  /// Nothing happens if the recording is not there.
  package func save(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO attribute (audio_id, name, person_id, value)
        SELECT id, :name, :person, :value FROM audio WHERE hash = :hash
        ON CONFLICT (audio_id, name, person_id) DO UPDATE SET value = excluded.value
        """
    ).execute(arguments: ["name": name, "person": personID, "value": value, "hash": Data(recording.bytes)])
  }

  package func delete(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM attribute
         WHERE audio_id = (SELECT id FROM audio WHERE hash = ?) AND name = ? AND person_id = ?
        """
    ).execute(arguments: [Data(recording.bytes), name, personID])
  }

  package var json: JSONValue {
    .object([
      "person_id": .integer(personID), "hash": .string(recording.description), "name": .string(name),
      "value": .string(value),
    ])
  }
}

extension AttributeRow {
  package init?(json: JSONValue) {
    guard case .integer(let personID) = json["person_id"],
      let recording = json["hash"]?.string.flatMap(ContentHash.init(hexadecimal:)), let name = json["name"]?.string,
      let value = json["value"]?.string
    else { return nil }
    self.init(personID: personID, recording: recording, name: name, value: value)
  }
}
