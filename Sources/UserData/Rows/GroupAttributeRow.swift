package import Base
package import LibraryDatabase
internal import MediaStore

/// A row of `group_attribute`, as the table and the journal have it: what a person says about an album or an artist.
package struct GroupAttributeRow: Equatable {
  package var group: TrackGroup
  package var name: String
  package var personID = Person.ownerID
  package var value: String

  /// Of an album: the hash of the picture that was chosen as its cover, as text.
  package static let coverName = "cover"

  package init(group: TrackGroup, name: String, personID: Int64 = Person.ownerID, value: String) {
    self.group = group
    self.name = name
    self.personID = personID
    self.value = value
  }

  /// What ``init(row:)`` reads.
  package static let columns = "scope, artist, album, name, person_id, value"

  /// For people: `the artist Nora Vale`.
  package var subject: String {
    switch group {
    case .artist(let artist): "the artist \(artist)"
    case .album(let album, let artist): "the album \(album) by \(artist)"
    }
  }

  /// The row of the same group, name and person; nil if there is none.
  package func stored(_ db: Database) throws -> GroupAttributeRow? {
    let value = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT value FROM group_attribute
           WHERE scope = :scope AND artist = :artist AND album = :album AND name = :name AND person_id = :person
          """), arguments: key)
    return value.map {
      var row = self
      row.value = $0
      return row
    }
  }

  private var key: StatementArguments {
    ["scope": group.scope, "artist": group.artist, "album": group.album, "name": name, "person": personID]
  }

  package func save(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO group_attribute (scope, artist, album, name, person_id, value)
        VALUES (:scope, :artist, :album, :name, :person, :value)
        ON CONFLICT (scope, artist, album, name, person_id) DO UPDATE SET value = excluded.value
        """
    ).execute(arguments: key + ["value": value])
  }

  package func delete(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM group_attribute
         WHERE scope = :scope AND artist = :artist AND album = :album AND name = :name AND person_id = :person
        """
    ).execute(arguments: key)
  }
}

extension GroupAttributeRow {
  /// - Parameter row: ``columns``.
  package init(row: Row) throws {
    let scope: String = try row[0]
    try self.init(
      group: scope == "artist" ? .artist(row[1]) : .album(row[2], artist: row[1]), name: row[3], personID: row[4],
      value: row[5])
  }

  package var json: JSONValue {
    .object([
      "scope": .string(group.scope), "artist": .string(group.artist), "album": .string(group.album),
      "name": .string(name), "person_id": .integer(personID), "value": .string(value),
    ])
  }

  package init?(json: JSONValue) {
    guard let scope = json["scope"]?.string, let artist = json["artist"]?.string, let album = json["album"]?.string,
      let name = json["name"]?.string, case .integer(let personID) = json["person_id"],
      let value = json["value"]?.string
    else { return nil }
    self.init(
      group: scope == "artist" ? .artist(artist) : .album(album, artist: artist), name: name, personID: personID,
      value: value)
  }
}

/// Tracks that tags put together: an album or an artist, by the names in the tags.
package enum TrackGroup: Hashable, Sendable {
  case artist(String)
  case album(String, artist: String)

  package var scope: String {
    switch self {
    case .artist: "artist"
    case .album: "album"
    }
  }

  package var artist: String {
    switch self {
    case .artist(let name), .album(_, let name): name
    }
  }

  /// Empty for an artist.
  package var album: String {
    switch self {
    case .artist: ""
    case .album(let name, _): name
    }
  }
}
