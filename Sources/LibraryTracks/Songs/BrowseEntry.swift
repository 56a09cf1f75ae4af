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
  package var artist: String
  package var album: String
  package var albumArtist: String
  /// Several are separated by "; ".
  package var genre: String
  package var year: Int?
  package var durationInSeconds: Double
  /// Seconds since 1970.
  package var addedAt: Int64
  /// Below its root.
  package var path: String

  package init(
    fileID: Int64, rootID: Int64, artist: String, album: String, albumArtist: String, genre: String, year: Int?,
    durationInSeconds: Double, addedAt: Int64, path: String
  ) {
    self.fileID = fileID
    self.rootID = rootID
    self.artist = artist
    self.album = album
    self.albumArtist = albumArtist
    self.genre = genre
    self.year = year
    self.durationInSeconds = durationInSeconds
    self.addedAt = addedAt
    self.path = path
  }
}

/// Whole libraries and single rows for clients that keep a copy of the library.
extension Songs {
  /// Calls `body` with every present file that has a recording, by id. Texts that nobody wrote are empty.
  ///
  /// `body` must not call the store.
  package func forEachBrowseEntry(_ body: (BrowseEntry) -> Void) throws(StoreError) {
    func cut(_ column: String) -> String { "coalesce(\(ShownText.sql(column)), '')" }
    try store.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT id, root_id, \(["artist", "album", "albumartist", "genre"].map(cut).joined(separator: ", ")),
                 year, coalesce(duration_s, 0.0), added_at, iif(albumartist <> '' OR album IS NULL, '', path_text)
            FROM file WHERE missing_since IS NULL AND audio_id IS NOT NULL ORDER BY id
          """)
      while let row = try rows.next() {
        try body(
          BrowseEntry(
            fileID: row[0], rootID: row[1], artist: ShownText.cut(row[2]), album: ShownText.cut(row[3]),
            albumArtist: ShownText.cut(row[4]), genre: ShownText.cut(row[5]), year: row[6], durationInSeconds: row[7],
            addedAt: row[8], path: row[9]))
      }
    }
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
            SELECT id FROM file WHERE missing_since IS NULL AND audio_id IS NOT NULL AND \(tests)
             ORDER BY id LIMIT :limit OFFSET :offset
            """, arguments: arguments)
      }
      arguments += ["match": SearchExpression.all(runs).match]
      return try Int64.fetchAll(
        db,
        sql: """
          SELECT file.id FROM search CROSS JOIN file ON file.id = search.rowid
           WHERE search MATCH :match AND file.missing_since IS NULL AND file.audio_id IS NOT NULL AND \(tests)
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
        db,
        sql: """
          SELECT (SELECT id FROM file WHERE audio_id = heard.id AND missing_since IS NULL
                   ORDER BY root_id, path LIMIT 1) AS file_id, count, last_at
            FROM (SELECT coalesce(
                           (SELECT id FROM audio WHERE hash = play.hash),
                           (SELECT audio.id FROM former_hash JOIN audio ON audio.hash = former_hash.current
                             WHERE former_hash.hash = play.hash ORDER BY audio.id LIMIT 1)) AS id,
                         count(*) AS count, max(started_at) AS last_at
                    FROM play WHERE person_id = ? GROUP BY 1) AS heard
           WHERE file_id IS NOT NULL ORDER BY file_id
          """, arguments: [personID]
      ).map { try ($0[0], $0[1], $0[2]) }
    }
  }

  /// Files by disc and track, then by path; those that are gone are left out.
  package func fileIDsByTrackNumber(_ ids: [Int64]) throws(StoreError) -> [Int64] {
    try store.read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT file.id FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value
           WHERE file.missing_since IS NULL AND file.audio_id IS NOT NULL
           ORDER BY coalesce(disc, 1), coalesce(track, 0), path_text, file.id
          """, arguments: ["[\(ids.map(String.init).joined(separator: ","))]"])
    }
  }
}
