internal import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// A present file with its recording, as clients list it, and what one person has said about it.
///
/// Its texts have at most ``largestTextByteCount`` bytes: a file can have tags of megabytes, and a list thousands of songs.
/// What is cut off has "…" in its place; ``Files/tags(ofFile:)`` has all of it.
package struct Song: Hashable, Sendable {
  package static let largestTextByteCount = ShownText.largestByteCount
  /// Of a path.
  package static let largestPathByteCount = 8_000
  /// The name of the attribute that holds bookmarks.
  package static let bookmarkName = "bookmark"

  package var fileID: Int64
  /// 32 hexadecimal digits, random, the same for as long as the library knows the file.
  package var key: String
  package var recordingID: Int64
  package var title: String?
  /// The last component of its path.
  package var fileName: String
  /// Below its root.
  package var path: String
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  /// Several are separated by "; ".
  package var genre: String?
  package var composer: String?
  package var year: Int?
  package var track: Int?
  package var disc: Int?
  package var durationInSeconds: Double?
  package var byteCount: Int64
  /// In lower case, without the dot.
  package var fileExtension: String
  package var container: Container
  package var sampleRateInHz: Int?
  package var channelCount: Int?
  package var bitsPerSample: Int?
  package var bitRateInBitsPerSecond: Int?
  /// Seconds since 1970.
  package var addedAt: Int64
  /// As docs/albums.md says which picture it is; nil if there is none.
  package var coverHash: ContentHash?
  package var loudnessInLUFS: Double?
  package var truePeakInDBTP: Double?
  /// Of its edition of its album, if that was asked for; nil without an album.
  package var albumLoudness: AlbumLoudness?
  package var musicBrainzID: String?
  package var isrc: String?
  package var beatsPerMinute: String?
  /// Who did what, works and sort names.
  package var credits = SongCredits()
  /// Of the preset through which the person hears it, if that was asked for; nil for none.
  package var presetName: String?

  /// When the person gave it a star, in ISO 8601.
  package var starredAt: String?
  /// Of the person, 0 to 100.
  package var rating: Double?
  /// What a client has remembered for the person about it.
  package var bookmark: String?
  package var playCount: Int
  /// Seconds since 1970; nil if the person never heard it.
  package var lastPlayedAt: Int64?
}

/// The present files of a library as clients list and browse them.
package struct Songs {
  let store: MediaStore
}

extension MediaStore {
  /// Its songs.
  package var songs: Songs { Songs(store: self) }
}

extension Songs {
  /// The songs of some files, in the order of the ids; those that are gone are left out.
  ///
  /// - Parameters: See ``forEach(in:of:withPresets:albums:_:)``.
  package func all(
    in fileIDs: [Int64], of personID: Int64?, withPresets: Bool = false, albums: AlbumLoudnessCache? = nil
  ) throws(StoreError) -> [Song] {
    var songs: [Song] = []
    songs.reserveCapacity(fileIDs.count)
    try forEach(in: fileIDs[...], of: personID, withPresets: withPresets, albums: albums) { _, song in
      songs.append(song)
      return true
    }
    return songs
  }

  /// Calls `body` with the songs of some files, in the order of the ids, until it returns false; those that are gone are left
  /// out.
  ///
  /// - Parameters:
  ///   - personID: whose stars, ratings and plays they have; nil for nobody's.
  ///   - withPresets: whether to look for the presets through which the person hears them.
  ///   - albums: gives the loudness of their albums; nil to leave it out.
  ///   - body: gets the index of the id, too; it must not call the store.
  package func forEach(
    in fileIDs: ArraySlice<Int64>, of personID: Int64?, withPresets: Bool = false, albums: AlbumLoudnessCache? = nil,
    _ body: (_ index: Int, Song) -> Bool
  ) throws(StoreError) {
    guard !fileIDs.isEmpty else { return }
    try store.read { db in
      let names = try Dictionary(
        Row.fetchAll(
          db, sql: "SELECT name, id FROM tag_name WHERE name IN ('MUSICBRAINZ_TRACKID', 'ISRC', 'BPM')"
        ).map { try ($0[0] as String, $0[1] as Int64) }, uniquingKeysWith: { first, _ in first })
      let credits = try SongCredits.Names(db)
      let hasPlays = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM play WHERE person_id = ?)", arguments: [personID])
      let sql = SongSQL.statements[hasPlays == true ? 1 : 0][withPresets ? 1 : 0]
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: sql),
        arguments: [
          "ids": "[\(fileIDs.map(String.init).joined(separator: ","))]", "person": personID,
          "mbid": names["MUSICBRAINZ_TRACKID"], "isrc": names["ISRC"], "bpm": names["BPM"], "credits": credits.list,
        ])
      while let row = try rows.next() {
        var song = try Song(row: row)
        if let text: String = try row[36] { song.credits = SongCredits(text, credits) }
        if let albums, let album: Int64 = try row[37] {
          let edition = try AlbumLoudnessCache.Edition(albumID: album, folder: row[38], codec: row[39])
          song.albumLoudness = try albums.loudness(of: edition, ofFile: song.fileID, db)
        }
        guard body(fileIDs.startIndex + (try row[35] as Int), song) else { return }
      }
    }
  }
}

/// SQL for songs, found through the ids of files.
enum SongSQL {
  /// Without plays and with, and of each without presets and with.
  static let statements = [noPlays, plays].map { plays in
    ["NULL", PresetSQL.name(heardBy: ":person")].map { statement(plays: plays, preset: $0) }
  }

  private static let noPlays = "0, NULL"
  private static let plays = """
    (SELECT count(*) FROM play WHERE play.person_id = :person AND \(PlaySQL.isOfAudio)),
    (SELECT max(started_at) FROM play WHERE play.person_id = :person AND \(PlaySQL.isOfAudio))
    """

  private static func statement(plays: String, preset: String) -> String {
    """
    SELECT file.id, file.key, file.audio_id, \(ShownText.sql("file.title")), file.name_text,
           substr(file.path_text, 1, \(Song.largestPathByteCount + 1)), \(ShownText.sql("file.artist")), \(ShownText.sql("file.album")),
           \(ShownText.sql("file.albumartist")), \(ShownText.sql("file.genre")), \(ShownText.sql("file.composer")), file.year, file.track, coalesce(file.disc,
           CASE WHEN album_disc > 1 OR (SELECT disc_count FROM album WHERE album.id = file.album_id) > 1 THEN album_disc END),
           file.duration_s,
           file.size_bytes, file.extension, file.container, audio.sample_rate_hz, audio.channels, stream.bits,
           stream.bitrate_bps, file.added_at,
           \(CoverSQL.hash),
           measures.loudness_lufs, measures.true_peak_dbtp,
           (SELECT substr(value, 1, 100) FROM tag WHERE file_id = file.id AND name_id = :mbid AND position = 0),
           (SELECT substr(value, 1, 100) FROM tag WHERE file_id = file.id AND name_id = :isrc AND position = 0),
           (SELECT substr(value, 1, 100) FROM tag WHERE file_id = file.id AND name_id = :bpm AND position = 0),
           (SELECT value FROM attribute WHERE audio_id = audio.id AND name = 'starred' AND person_id = :person),
           (SELECT value FROM attribute WHERE audio_id = audio.id AND name = 'rating' AND person_id = :person),
           (SELECT value FROM attribute WHERE audio_id = audio.id AND name = '\(Song.bookmarkName)'
               AND person_id = :person),
           \(plays), \(preset), wanted.key, \(SongCredits.sql), file.album_id, file.album_folder, stream.codec
      FROM json_each(:ids) AS wanted
           CROSS JOIN file ON file.id = wanted.value
           CROSS JOIN audio ON audio.id = file.audio_id
           LEFT JOIN stream ON stream.id = file.stream_id
           LEFT JOIN measures ON measures.audio_id = audio.id
     WHERE file.missing_since IS NULL
     ORDER BY wanted.id
    """
  }
}

extension Song {
  /// The text as songs have it.
  package static func cut(_ text: String) -> String { ShownText.cut(text) }

  private static func cutIfThere(_ text: String?) -> String? { text.map { cut($0) } }

  /// - Parameter row: of ``SongSQL``.
  fileprivate init(row: Row) throws {
    let rating: String? = try row[30]
    try self.init(
      fileID: row[0], key: ContentHash(bytes: row[1] as Data)?.description ?? "", recordingID: row[2],
      title: Self.cutIfThere(row[3]), fileName: row[4],
      path: (row[5] as String).cut(toByteCount: Self.largestPathByteCount),
      artist: Self.cutIfThere(row[6]), album: Self.cutIfThere(row[7]), albumArtist: Self.cutIfThere(row[8]),
      genre: Self.cutIfThere(row[9]),
      composer: Self.cutIfThere(row[10]), year: row[11], track: row[12], disc: row[13], durationInSeconds: row[14],
      byteCount: row[15],
      fileExtension: row[16], container: Container(rawValue: row[17] ?? ""), sampleRateInHz: row[18],
      channelCount: row[19], bitsPerSample: row[20], bitRateInBitsPerSecond: row[21], addedAt: row[22],
      coverHash: (row[23] as Data?).flatMap { ContentHash(bytes: $0) }, loudnessInLUFS: row[24],
      truePeakInDBTP: row[25], musicBrainzID: row[26], isrc: row[27], beatsPerMinute: row[28], starredAt: row[29],
      rating: rating.flatMap(DecimalText.parse), bookmark: row[31], playCount: row[32], lastPlayedAt: row[33])
    presetName = try row[34]
  }
}
