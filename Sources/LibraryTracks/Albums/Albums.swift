internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
package import QueryLanguage

/// An album in all its editions, as [docs/albums.md](../../../docs/albums.md) says which files are one.
///
/// Its numbers are of files that are not missing; those of tracks, discs and seconds are of the edition with most tracks.
package struct Album: Hashable, Sendable {
  package var id: Int64
  /// What clients call it, 32 hexadecimal digits: it stays the same while files, artist and title change.
  package var key: String
  package var knownNames: AlbumNames
  /// Empty for tracks without an album.
  package var title: String
  /// Empty if it is not known; several values of its tag are separated by "; ".
  package var artist: String
  package var isCompilation: Bool
  /// The earliest of its files.
  package var year: Int?
  /// Seconds since 1970, of its first file.
  package var addedAt: Int64
  package var fileCount: Int
  /// Files that are damaged, empty, unreadable and so on.
  package var problemCount: Int
  package var editionCount: Int
  package var trackCount: Int
  package var discCount: Int
  package var durationInSeconds: Double
  package var coverSource: CoverSource?
  /// By which its artist and its title are ordered, as its own tags have it; nil if they say nothing.
  package var artistSort: String?
  package var titleSort: String?
  private var severalArtists: [String] = []

  package init(
    id: Int64, key: String, knownNames: AlbumNames, title: String, artist: String, isCompilation: Bool, year: Int?,
    addedAt: Int64, fileCount: Int, problemCount: Int, editionCount: Int, trackCount: Int, discCount: Int,
    durationInSeconds: Double, coverSource: CoverSource? = nil
  ) {
    self.id = id
    self.key = key
    self.knownNames = knownNames
    self.title = title
    self.artist = artist
    self.isCompilation = isCompilation
    self.year = year
    self.addedAt = addedAt
    self.fileCount = fileCount
    self.problemCount = problemCount
    self.editionCount = editionCount
    self.trackCount = trackCount
    self.discCount = discCount
    self.durationInSeconds = durationInSeconds
    self.coverSource = coverSource
  }

  /// Each of them for itself, as the tags of its files have several values; empty if none is known.
  package var artists: [String] { severalArtists.isEmpty ? artist.isEmpty ? [] : [artist] : severalArtists }
}

/// Where the cover of an album is from; one without a picture has none.
package enum CoverSource: String, Sendable {
  /// Somebody chose it.
  case chosen
  /// It lies beside the files.
  case beside
  case tags
}

package enum AlbumOrder: String, CaseIterable, Sendable {
  case artist, album, year, added, plays, played, loudness, brightness
  case latestYear = "year-"
  case latestAdded = "added-"
  /// The most heard first; `plays` has those first that were heard once.
  case mostPlays = "plays-"
  case latestPlayed = "played-"
  case loudest = "loudness-"
  case brightest = "brightness-"

  /// Albums of which nothing is known are last in either direction.
  fileprivate var sql: String {
    switch self {
    case .artist: "sort_key, id"
    case .album: "title = '', substr(sort_key, instr(sort_key, char(1)) + 1), sort_key, id"
    case .year: "year NULLS LAST, sort_key, id"
    case .latestYear: "year DESC NULLS LAST, sort_key, id"
    case .added: "added_at, id"
    case .latestAdded: "added_at DESC, id DESC"
    case .plays: "heard.count NULLS LAST, sort_key, id"
    case .mostPlays: "heard.count DESC NULLS LAST, heard.last_at DESC, sort_key, id"
    case .played: "heard.last_at NULLS LAST, sort_key, id"
    case .latestPlayed: "heard.last_at DESC NULLS LAST, sort_key, id"
    case .loudness: "loudness_lufs NULLS LAST, sort_key, id"
    case .loudest: "loudness_lufs DESC NULLS LAST, sort_key, id"
    case .brightness: "brightness_hz NULLS LAST, sort_key, id"
    case .brightest: "brightness_hz DESC NULLS LAST, sort_key, id"
    }
  }

  /// Whether it depends on what a person has heard.
  fileprivate var isOfPlays: Bool { [.plays, .mostPlays, .played, .latestPlayed].contains(self) }
}

/// The albums of a library.
package struct Albums {
  let store: MediaStore
}

extension MediaStore {
  /// Its albums.
  package var albums: Albums { Albums(store: self) }
}

extension Albums {
  static let columns = """
    album.id, album.key, album.known_artist, album.known_title, album.title, album.artist, album.is_compilation, album.year,
    coalesce(album.added_at, 0), album.file_count, album.problem_count, album.edition_count, album.track_count, album.disc_count,
    album.duration_s, album.cover_source, album.sort_key
    """

  /// Those that have files, found through `album_by_name`; tracks without an album are last of their artist.
  package func all() throws(StoreError) -> [Album] { try fetch(from: 0, limit: .max, orderedBy: .artist, among: nil) }

  /// A part of the albums of the files that a query finds, and how many there are in all.
  ///
  /// - Returns: Whole albums, even if the query finds only some of their files.
  package func all(
    of query: Query, orderedBy order: AlbumOrder, from: Int = 0, limit: Int = .max
  ) throws -> (albums: [Album], total: Int) {
    guard query.condition != nil else {
      let total = try store.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM album WHERE file_count > 0") ?? 0
      }
      return (try fetch(from: from, limit: limit, orderedBy: order, among: nil), total)
    }
    guard let key = LibraryField.named("album-id").flatMap({ QueryGrouping.Key($0.field, by: nil) }) else {
      return ([], 0)
    }
    var ids: [Int64] = []
    try store.forEachGroup(
      of: Query(condition: query.condition), QueryGrouping(by: [key], hasCount: false, measures: [])
    ) { row in
      if case .integer(let id) = row.value(0) { ids.append(id) }
    }
    let total = try store.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM album WHERE file_count > 0 AND id IN (SELECT value FROM json_each(?))",
        arguments: [Self.list(ids)]) ?? 0
    }
    return (try fetch(from: from, limit: limit, orderedBy: order, among: ids), total)
  }

  private static func list(_ ids: [Int64]) -> String { "[\(ids.map(String.init).joined(separator: ","))]" }

  private func fetch(
    from: Int, limit: Int, orderedBy order: AlbumOrder, among ids: [Int64]?
  ) throws(StoreError) -> [Album] {
    try store.read { db in
      var albums: [Album] = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          \(order.isOfPlays ? "WITH heard AS (\(HeardSQL.albums(of: "listener()")))" : "")
          SELECT \(Self.columns) FROM album \(order.isOfPlays ? "LEFT JOIN heard ON heard.album_id = album.id" : "")
           WHERE file_count > 0\(ids == nil ? "" : " AND id IN (SELECT value FROM json_each(:ids))")
           ORDER BY \(order.sql) LIMIT :limit OFFSET :from
          """,
        arguments: StatementArguments(["limit": limit, "from": from])
          + (ids.map { ["ids": Self.list($0)] } ?? [:]))
      while let row = try rows.next() { albums.append(try Album(row: row)) }
      let separators = try StoredSeparators.all(db)
      for place in albums.indices where !separators.isEmpty || albums[place].artist.contains("; ") {
        albums[place] = try albums[place].withArtists(separators, db)
      }
      return albums
    }
  }

  /// The albums that a person has heard, with how often their tracks were heard and when last, in seconds since 1970.
  package func heard(by personID: Int64) throws(StoreError) -> [(albumID: Int64, count: Int, lastAt: Int64)] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT album_id, count, last_at FROM (\(HeardSQL.albums(of: "?"))) ORDER BY album_id",
        arguments: [personID]
      ).map { try ($0[0], $0[1], $0[2]) }
    }
  }

  /// A recording of each album that is in its first edition, by the ids of the albums.
  package func firstRecordings(of ids: [Int64]) throws(StoreError) -> [Int64: Int64] {
    try store.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT audio_id FROM file
           WHERE album_id = ? AND missing_since IS NULL AND audio_id IS NOT NULL
           ORDER BY album_edition, album_disc, coalesce(track, 0), path LIMIT 1
          """)
      var recordings: [Int64: Int64] = [:]
      for id in ids { recordings[id] = try Int64.fetchOne(statement, arguments: [id]) }
      return recordings
    }
  }

  /// The id of the album that one has become part of, see ``AlbumDecisions/currentID(of:_:)``.
  package func currentID(of id: Int64) throws(StoreError) -> Int64 {
    try store.read { try AlbumDecisions.currentID(of: id, $0) }
  }

  /// The album, or the one that it has become part of; nil if there is none, or it has no files.
  package func album(id: Int64) throws(StoreError) -> Album? {
    try store.read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT \(Self.columns) FROM album WHERE id = ? AND file_count > 0"),
        arguments: [AlbumDecisions.currentID(of: id, db)]
      ).map { try Album(row: $0).withArtists(StoredSeparators.all(db), db) }
    }
  }

  /// What albums were called before they became part of others: their keys, and the ids of these.
  package func formerKeys() throws(StoreError) -> [(key: String, albumID: Int64)] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT lower(hex(key)), album_id FROM former_album
           WHERE NOT EXISTS (SELECT 1 FROM album WHERE album.key = former_album.key) ORDER BY key
          """
      ).map { try ($0[0], $0[1]) }
    }
  }

  /// The known names of all albums with a title, by id.
  package func knownNames() throws(StoreError) -> [Int64: AlbumNames] {
    try store.read { db in
      var names: [Int64: AlbumNames] = [:]
      let rows = try Row.fetchCursor(db, sql: "SELECT id, known_artist, known_title FROM album WHERE known_title <> ''")
      while let row = try rows.next() { try names[row[0]] = AlbumNames(artist: row[1], title: row[2]) }
      return names
    }
  }
}

extension Album {
  /// - Parameter row: of ``Albums/columns``.
  init(row: Row) throws {
    let key: Data = try row[1]
    try self.init(
      id: row[0], key: ContentHash(bytes: key)?.description ?? "",
      knownNames: AlbumNames(artist: row[2], title: row[3]),
      title: row[4], artist: row[5], isCompilation: row[6], year: row[7], addedAt: row[8], fileCount: row[9],
      problemCount: row[10], editionCount: row[11], trackCount: row[12], discCount: row[13], durationInSeconds: row[14],
      coverSource: (row[15] as String?).flatMap(CoverSource.init))
    let sortKey = AlbumSortKey(try row[16])
    (artistSort, titleSort) = (sortKey.artistSort, sortKey.titleSort)
  }

  /// With its artists each for itself, if its artist is what the values of a tag of one of its files are together, or what somebody
  /// listed separates names in the ARTIST of one without an ALBUMARTIST.
  ///
  /// - Parameter separators: see ``ArtistSeparators``.
  fileprivate func withArtists(_ separators: [String], _ db: Database) throws -> Album {
    guard artist.contains("; ") else { return try separated(at: separators, db) }
    // A text that was cut ends in "…".
    let start = artist.utf8.count > ShownText.largestByteCount - 4 ? String(artist.dropLast()) : artist
    let statement = try db.cachedStatement(
      sql: """
        SELECT (SELECT json_group_array(\(ShownText.sql("value"))) FROM tag JOIN tag_name ON tag_name.id = name_id
                 WHERE file_id = file.id AND name = ?1 AND position < \(ArtistCredit.mostNames))
          FROM file WHERE album_id = ?2 AND substr(iif(?1 = 'ARTIST', artist, albumartist), 1, length(?3)) = ?3
         ORDER BY iif(?1 = 'ARTIST', artist, albumartist) <> ?4, file.id LIMIT 1
        """)
    for name in ["ALBUMARTIST", "ARTIST"] {
      guard let text = try String.fetchOne(statement, arguments: [name, id, start, artist]),
        case .array(let items)? = try? JSONValue(parsing: Array(text.utf8))
      else { continue }
      let values = items.compactMap(\.string)
      guard values.count > 1, ShownText.cut(values.joined(separator: "; ")) == artist else { continue }
      var album = self
      album.severalArtists = values.filter { !$0.isEmpty }.map(ShownText.cut)
      return album
    }
    return try separated(at: separators, db)
  }

  private func separated(at separators: [String], _ db: Database) throws -> Album {
    let names = ArtistCredit.names(artists: [], artist: [artist], idCount: 0, separators: separators)
    guard names.count > 1 else { return self }
    let isOfTracks = try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM file WHERE album_id = ? AND artist = ? AND coalesce(albumartist, '') = '')"),
      arguments: [id, artist])
    guard isOfTracks == true else { return self }
    var album = self
    album.severalArtists = names
    return album
  }
}
