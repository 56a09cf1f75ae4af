package import LibraryDatabase
internal import MediaModel

/// Where a library keeps its ``ArtistSeparators``: as an attribute that its owner gives to all artists, that is, to the artist without
/// a name. So it is in the journal, in merges and in backups as all attributes are.
package enum StoredSeparators {
  package static let attribute = "separators"

  /// Empty unless somebody listed some.
  package static func all(_ db: Database) throws -> [String] {
    let text = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT value FROM group_attribute
           WHERE scope = 'artist' AND artist = '' AND album = '' AND name = ? AND person_id = 1
          """), arguments: [attribute])
    return text.map(ArtistSeparators.parsed) ?? []
  }

  /// Lets the albums of files be looked for again in whose artist one of these occurs.
  package static func noteChange(of separators: [String], _ db: Database) throws {
    for separator in separators {
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO album_due
          SELECT 'shelf', album_shelf FROM file WHERE album_shelf IS NOT NULL AND instr(fold(artist), fold(?)) > 0
          """, arguments: [separator])
    }
  }
}
