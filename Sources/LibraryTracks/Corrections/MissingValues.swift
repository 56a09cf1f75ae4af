internal import LibraryDatabase
package import MediaModel
package import MediaStore
package import UserData

/// What files of an album lack, and all others of it say.
package struct AlbumFill: Hashable, Sendable {
  package var albumID: Int64
  package var albumTitle: String
  package var field: CorrectionField
  package var values: [String]
  /// Of the files that lack it.
  package var fileCount: Int
  /// Whether other programs take the files for several albums without it: an album artist, if the artists of its tracks differ.
  package var isNeeded = false
}

extension Corrections {
  /// Fields that are another one for each track.
  private static let ofTracks: Set<String> = [
    "TITLE", "TITLESORT", "SUBTITLE", "TRACKNUMBER", "ISRC", "LYRICS", "BPM", "INITIALKEY", "MOVEMENTNAME",
    "MOVEMENTNUMBER", "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_RELEASETRACKID", "ACOUSTID_ID", "ACOUSTID_FINGERPRINT",
  ]
  /// Of what belongs to a recording, so many files have to say the same.
  private static let leastOthers = 2

  /// What fills a field of those files of an album that lack it: what all others say, if they say the same; of an album artist that
  /// none says, the artist of the album as ``AlbumRule`` finds it, such as the one whom all tracks share beside their guests.
  ///
  /// - Returns: nil if they differ, if none lacks it, and for tracks without an album.
  package func fill(of field: CorrectionField, inAlbum id: Int64) throws(StoreError) -> AlbumFill? {
    guard !Self.ofTracks.contains(field.name) else { return nil }
    return try store.read { db in
      let title = try String.fetchOne(
        db.cachedStatement(sql: "SELECT title FROM album WHERE id = ? AND title <> ''"), arguments: [id])
      guard let title else { return nil }
      let values = try Self.values(of: field, inAlbum: id, db)
      let lackCount = values.count(where: \.isEmpty)
      guard lackCount > 0 else { return nil }
      let told = values.filter { !$0.isEmpty }
      if told.isEmpty, field.name == "ALBUMARTIST" {
        return try Self.artist(ofAlbum: id, titled: title, field, fileCount: lackCount, db)
      }
      let least = field.scope == .file ? 1 : Self.leastOthers
      guard told.count >= least, let first = told.first, told.allSatisfy({ $0 == first }) else { return nil }
      return AlbumFill(
        albumID: id, albumTitle: title, field: field, values: first, fileCount: lackCount,
        isNeeded: field.name == "ALBUMARTIST")
    }
  }

  /// Various Artists only for an album that stays by itself under that name, and does not become one with another.
  private static func artist(
    ofAlbum id: Int64, titled title: String, _ field: CorrectionField, fileCount: Int, _ db: Database
  ) throws -> AlbumFill? {
    guard let artist = CorrectionField("ARTIST") else { return nil }
    let names = try values(of: artist, inAlbum: id, db).filter { !$0.isEmpty }
    guard let first = names.first else { return nil }
    guard names.contains(where: { $0 != first }) else {
      return AlbumFill(albumID: id, albumTitle: title, field: field, values: first, fileCount: fileCount)
    }
    let own = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT artist FROM album
           WHERE id = ?1 AND artist <> '' AND NOT EXISTS (
             SELECT 1 FROM file AS this JOIN file ON file.album_shelf = this.album_shelf
               JOIN album AS other ON other.id = file.album_id
              WHERE this.id = (SELECT min(id) FROM file WHERE album_id = ?1) AND other.id <> ?1 AND other.artist = album.artist)
          """), arguments: [id])
    return own.map {
      AlbumFill(albumID: id, albumTitle: title, field: field, values: [$0], fileCount: fileCount, isNeeded: true)
    }
  }

  /// The values of a field in each file of an album that is not missing; found through `file_by_album_id`.
  private static func values(of field: CorrectionField, inAlbum id: Int64, _ db: Database) throws -> [[String]] {
    let names = field.tagNames + field.relatedTagNames
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT file.id, name, value FROM file
            LEFT JOIN (tag JOIN tag_name ON tag_name.id = name_id AND name IN (\(names.map { _ in "?" }.joined(separator: ", "))))
              ON file_id = file.id
           WHERE album_id = ? AND missing_since IS NULL ORDER BY file.id, name_id, position
          """), arguments: StatementArguments(names) + [id])
    var files: [(id: Int64, properties: [Tags.Property])] = []
    for row in rows {
      let file: Int64 = try row[0]
      if files.last?.id != file { files.append((file, [])) }
      guard let name: String = try row[1] else { continue }
      let last = files.count - 1
      if files[last].properties.last?.name == name {
        try files[last].properties[files[last].properties.count - 1].values.append(row[2])
      } else {
        try files[last].properties.append(Tags.Property(name: name, values: [row[2]]))
      }
    }
    return files.map { field.values(in: Tags($0.properties)) }
  }
}
