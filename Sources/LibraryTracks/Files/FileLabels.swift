internal import LibraryDatabase
internal import LibraryQueries
package import MediaStore
internal import UserData

/// What a file's tags call it, and where it stands on its album.
package struct FileLabels: Hashable, Sendable {
  package var fileID: Int64
  /// Empty values are nil.
  package var title: String?
  package var artist: String?
  package var album: String?
  /// nil without an album.
  package var albumID: Int64?
  /// Which edition of the album, see ``AlbumEdition``; nil without an album.
  package var edition: String?
  package var track: Int?
  package var trackTotal: Int?
  package var disc: Int?
  package var discTotal: Int?

  package init(
    fileID: Int64, title: String? = nil, artist: String? = nil, album: String? = nil, albumID: Int64? = nil,
    edition: String? = nil, track: Int? = nil, trackTotal: Int? = nil, disc: Int? = nil, discTotal: Int? = nil
  ) {
    self.fileID = fileID
    self.title = title
    self.artist = artist
    self.album = album
    self.albumID = albumID
    self.edition = edition
    self.track = track
    self.trackTotal = trackTotal
    self.disc = disc
    self.discTotal = discTotal
  }
}

extension FileLabels {
  fileprivate static var columns: String {
    """
    file.id, nullif(file.title, ''), nullif(file.artist, ''), nullif(file.album, ''),
    \(AlbumSQL.column("album.id")), CASE WHEN \(AlbumSQL.column("TRUE")) THEN \(AlbumSQL.edition()) END,
    file.track, file.track_total, file.disc, file.disc_total
    """
  }

  fileprivate static let source =
    "file JOIN root ON root.id = file.root_id LEFT JOIN stream ON stream.id = file.stream_id"

  static let ofAlbum = """
    SELECT \(columns) FROM \(source)
     WHERE file.album_id = ? AND file.missing_since IS NULL
     ORDER BY file.id
    """

  fileprivate init(_ row: Row) throws {
    try self.init(
      fileID: row[0], title: row[1], artist: row[2], album: row[3], albumID: row[4], edition: row[5],
      track: row[6], trackTotal: row[7], disc: row[8], discTotal: row[9])
  }
}

extension Files {
  /// The labels of a file; nil if it is gone.
  package func labels(ofFile id: Int64) throws(StoreError) -> FileLabels? {
    try store.read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT \(FileLabels.columns) FROM \(FileLabels.source) WHERE file.id = ?"),
        arguments: [id]
      ).map(FileLabels.init)
    }
  }

  /// The labels of all present files of an album, in all its editions, found through `file_by_album_id`.
  package func labels(ofAlbum id: Int64) throws(StoreError) -> [FileLabels] {
    try store.read { db in
      try Row.fetchAll(db.cachedStatement(sql: FileLabels.ofAlbum), arguments: [id]).map(FileLabels.init)
    }
  }
}
