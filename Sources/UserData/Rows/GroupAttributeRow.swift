package import Base
package import LibraryDatabase
internal import MediaModel
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

  /// For people: `the artist 'Nora Vale'`, and an album as it is called now.
  package func subject(_ db: Database) throws -> String {
    switch group {
    case .artist(""): "all artists"
    case .artist(let artist): PresetSubject.artist(artist).description
    case .album(let album, let artist): try PresetSubject.album(album, artist: artist).shown(db).description
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
    let before = areSeparators ? try stored(db)?.value : nil
    try db.cachedStatement(
      sql: """
        INSERT INTO group_attribute (scope, artist, album, name, person_id, value)
        VALUES (:scope, :artist, :album, :name, :person, :value)
        ON CONFLICT (scope, artist, album, name, person_id) DO UPDATE SET value = excluded.value
        """
    ).execute(arguments: key + ["value": value])
    try noteSeparators(before, value, db)
  }

  package func delete(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM group_attribute
         WHERE scope = :scope AND artist = :artist AND album = :album AND name = :name AND person_id = :person
        """
    ).execute(arguments: key)
    try noteSeparators(value, nil, db)
  }

  /// Whether it says what separates the names of artists, on which their albums depend.
  private var areSeparators: Bool {
    group == .artist("") && name == StoredSeparators.attribute && personID == Person.ownerID
  }

  private func noteSeparators(_ before: String?, _ after: String?, _ db: Database) throws {
    guard areSeparators, before != after else { return }
    let lists = [before, after].map { Set($0.map(ArtistSeparators.parsed) ?? []) }
    try StoredSeparators.noteChange(of: lists[0].symmetricDifference(lists[1]).sorted(), db)
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
