internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
internal import UserData

/// What of a present file decides to which album, artists and genres it belongs; texts are cut like those of a ``Song``.
package struct BrowseEntry: Hashable, Sendable {
  package var fileID: Int64
  package var rootID: Int64
  /// Each of them for itself, see ``ArtistCredit``; empty if nobody wrote one.
  package var artists: [String]
  /// By which these are ordered, if the tags have a name for each; else empty.
  package var artistSorts: [String] = []
  /// nil until the scan that found the file has looked for its album.
  package var albumID: Int64?
  /// Several are separated by "; ".
  package var genre: String
  package var year: Int?
  package var durationInSeconds: Double
  /// Seconds since 1970.
  package var addedAt: Int64

  package init(
    fileID: Int64, rootID: Int64, artists: [String], albumID: Int64?, genre: String, year: Int?,
    durationInSeconds: Double,
    addedAt: Int64
  ) {
    self.fileID = fileID
    self.rootID = rootID
    self.artists = artists
    self.albumID = albumID
    self.genre = genre
    self.year = year
    self.durationInSeconds = durationInSeconds
    self.addedAt = addedAt
  }
}

/// Whole libraries and single rows for clients that keep a copy of the library.
extension Songs {
  /// Of what nothing could be decoded, clients make no song.
  private static let isSong = """
    file.missing_since IS NULL AND file.audio_id IS NOT NULL
    AND (file.duration_s > 0 OR file.last_state IN ('ok', 'pending'))
    """

  /// Calls `body` with every present file that has a sound, by id. Texts that nobody wrote are empty.
  ///
  /// `body` must not call the store.
  package func forEachBrowseEntry(_ body: (BrowseEntry) -> Void) throws(StoreError) {
    func cut(_ column: String) -> String { "coalesce(\(ShownText.sql(column)), '')" }
    try store.read { db in
      let names = try Dictionary(
        Row.fetchAll(
          db,
          sql: "SELECT name, id FROM tag_name WHERE name IN ('ARTISTS', 'ARTIST', 'MUSICBRAINZ_ARTISTID', 'ARTISTSORT')"
        ).map { try ($0[0] as String, $0[1] as Int64) }, uniquingKeysWith: { first, _ in first })
      // Values of one tag; a library that has it nowhere does not look for it.
      func values(_ name: String) -> String {
        guard let id = names[name] else { return "NULL" }
        return
          "(SELECT group_concat(substr(value, 1, 2000), char(31)) FROM tag WHERE file_id = file.id AND name_id = \(id) AND position < \(ArtistCredit.mostNames))"
      }
      let separators = try StoredSeparators.all(db)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT id, root_id, \(cut("artist")), album_id, \(cut("genre")), year, coalesce(duration_s, 0.0), added_at,
                 \(values("ARTISTS")), CASE WHEN instr(artist, '; ') > 0 THEN \(values("ARTIST")) END,
                 \(values("MUSICBRAINZ_ARTISTID")), \(values("ARTISTSORT"))
            FROM file WHERE \(Self.isSong) ORDER BY id
          """)
      while let row = try rows.next() {
        var entry = try BrowseEntry(
          fileID: row[0], rootID: row[1], artists: Self.artists(row, separators), albumID: row[3],
          genre: ShownText.cut(row[4]), year: row[5], durationInSeconds: row[6], addedAt: row[7])
        let sorts = try Self.values(row, 11)
        if sorts.count == entry.artists.count { entry.artistSorts = sorts }
        body(entry)
      }
    }
  }

  private static func values(_ row: Row, _ index: Int) throws -> [String] {
    try (row[index] as String?)?.split(separator: "\u{1F}").map { ShownText.cut(String($0)) } ?? []
  }

  private static func artists(_ row: Row, _ separators: [String]) throws -> [String] {
    let shown = ShownText.cut(try row[2])
    let (artists, artist) = (try values(row, 8), try values(row, 9))
    // Nearly all files have one name, and nothing to split.
    if artists.isEmpty, artist.isEmpty, separators.isEmpty, try row[10] as String? == nil {
      return shown.isEmpty ? [] : [shown]
    }
    return ArtistCredit.names(
      artists: artists, artist: artist.isEmpty ? [shown] : artist, idCount: try values(row, 10).count,
      separators: separators)
  }

  /// The ids of the present files in whose title, artist, album, genre or name every word occurs, by id, found through the
  /// search index. Case and accents do not count.
  package func fileIDs(containing words: [String], from offset: Int, limit: Int) throws(StoreError) -> [Int64] {
    let words = words.map(TextFolding.fold).filter { !$0.isEmpty }
    guard !words.isEmpty, limit > 0 else { return [] }
    return try store.read { db in
      let tests = words.indices.map { "instr(file.search_text, :word\($0)) > 0" }.joined(separator: " AND ")
      var arguments: StatementArguments = ["offset": offset, "limit": limit]
      for (index, word) in words.enumerated() { arguments += ["word\(index)": word] }
      let runs = words.compactMap(SearchExpression.init(word:))
      guard !runs.isEmpty else {
        return try Int64.fetchAll(
          db,
          sql: """
            SELECT id FROM file WHERE \(Self.isSong) AND \(tests)
             ORDER BY id LIMIT :limit OFFSET :offset
            """, arguments: arguments)
      }
      arguments += ["match": SearchExpression.all(runs).match]
      return try Int64.fetchAll(
        db,
        sql: """
          SELECT file.id FROM search CROSS JOIN file ON file.id = search.rowid
           WHERE search MATCH :match AND \(Self.isSong) AND \(tests)
           ORDER BY search.rowid LIMIT :limit OFFSET :offset
          """, arguments: arguments)
    }
  }

  /// The id of the file that clients call by a key; nil if it is not in the library.
  package func fileID(key: ContentHash) throws(StoreError) -> Int64? {
    try store.read { db in
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM file WHERE key = ?"), arguments: [Data(key.bytes)])
    }
  }

  /// The first present file of each recording by path, in the order of the recordings; those without one are left out.
  package func fileIDs(ofRecordings ids: [Int64]) throws(StoreError) -> [Int64] {
    try store.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT id FROM file WHERE audio_id = ? AND missing_since IS NULL ORDER BY root_id, path LIMIT 1
          """)
      return try ids.compactMap { try Int64.fetchOne(statement, arguments: [$0]) }
    }
  }

  /// The first present file of each recording that a person has heard, with how often and when last.
  package func heard(
    by personID: Int64
  ) throws(StoreError) -> [(fileID: Int64, count: Int, lastAt: Int64)] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT file_id, count, last_at FROM (\(HeardSQL.files(of: "?"))) ORDER BY file_id",
        arguments: [personID]
      ).map { try ($0[0], $0[1], $0[2]) }
    }
  }

  /// Files by edition, disc and track, then by path; those that are gone are left out.
  package func fileIDsByTrackNumber(_ ids: [Int64]) throws(StoreError) -> [Int64] {
    try store.read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT file.id FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value
           WHERE file.missing_since IS NULL AND file.audio_id IS NOT NULL
           ORDER BY coalesce(album_edition, 1), album_disc, coalesce(track, 0), path_text, file.id
          """, arguments: ["[\(ids.map(String.init).joined(separator: ","))]"])
    }
  }
}
