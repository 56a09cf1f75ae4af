package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
internal import MediaStore

/// A row of `album_choice`, as the table and the journal have it: to which album a recording belongs, whatever its tags say.
package struct AlbumChoiceRow: Equatable {
  package var recording: ContentHash
  /// Of its files, see ``MediaModel/AlbumFile/shelf``.
  package var shelf: String
  /// The known names of the album.
  package var album: AlbumNames

  package init(recording: ContentHash, shelf: String, album: AlbumNames) {
    self.recording = recording
    self.shelf = shelf
    self.album = album
  }

  package static func fetch(_ recording: ContentHash, shelf: String, _ db: Database) throws -> AlbumChoiceRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT artist, title FROM album_choice WHERE hash = ? AND shelf = ?"),
      arguments: [Data(recording.bytes), shelf]
    ).map { try AlbumChoiceRow(recording: recording, shelf: shelf, album: AlbumNames(artist: $0[0], title: $0[1])) }
  }

  /// All choices for a recording, also under hashes that it had before.
  package static func fetchAll(
    _ recording: ContentHash, shelf: String, _ db: Database
  ) throws -> [AlbumChoiceRow] {
    let former = try Data.fetchAll(
      db.cachedStatement(sql: "SELECT hash FROM former_hash WHERE current = ? ORDER BY hash"),
      arguments: [Data(recording.bytes)])
    return try ([recording] + former.compactMap { ContentHash(bytes: $0) }).compactMap {
      try fetch($0, shelf: shelf, db)
    }
  }

  package func save(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO album_choice (hash, shelf, artist, title) VALUES (:hash, :shelf, :artist, :title)
        ON CONFLICT (hash, shelf) DO UPDATE SET artist = excluded.artist, title = excluded.title
        """
    ).execute(arguments: key + ["artist": album.artist, "title": album.title])
  }

  package func delete(_ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM album_choice WHERE hash = :hash AND shelf = :shelf").execute(
      arguments: key)
  }

  private var key: StatementArguments { ["hash": Data(recording.bytes), "shelf": shelf] }
}

extension AlbumChoiceRow {
  package var json: JSONValue {
    .object([
      "hash": .string(recording.description), "shelf": .string(shelf), "artist": .string(album.artist),
      "title": .string(album.title),
    ])
  }

  package init?(json: JSONValue) {
    guard let recording = json["hash"]?.string.flatMap({ ContentHash(hexadecimal: $0) }),
      let shelf = json["shelf"]?.string,
      let artist = json["artist"]?.string, let title = json["title"]?.string
    else { return nil }
    self.init(recording: recording, shelf: shelf, album: AlbumNames(artist: artist, title: title))
  }
}
