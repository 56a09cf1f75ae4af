internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel

/// What a shelf has.
extension AlbumWriter {
  func files(on shelf: String) throws -> [(file: AlbumFile, album: Int64?)] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT file.id, root_id, path_text, \(ShownText.sql("album")), \(ShownText.sql("albumartist")), \(ShownText.sql("artist")),
                 \(ShownText.sql("title")), disc, track, audio_id, last_state, album_id,
                 (SELECT group_concat(tag_name.name || char(31) || substr(tag.value, 1, 2000), char(30))
                    FROM tag_name CROSS JOIN tag ON tag.file_id = file.id AND tag.name_id = tag_name.id
                   WHERE tag.position < 32 AND tag_name.name IN ('COMPILATION', 'MUSICBRAINZ_RELEASEGROUPID', 'MUSICBRAINZ_ALBUMID', 'RELEASETYPE',
                                           'MUSICBRAINZ_ALBUMTYPE', 'ARTIST', 'ARTISTS', 'MUSICBRAINZ_ARTISTID', 'ARTISTSORT',
                                           'ALBUMARTISTSORT', 'ALBUMSORT')),
                 \(hasChoices ? Self.choice : "NULL")
            FROM file
           WHERE album_shelf = ? AND missing_since IS NULL
           ORDER BY file.id
          """), arguments: [shelf])
    return try rows.map { row in
      var file = try AlbumFile(id: row[0], rootID: row[1], folder: AlbumEdition.folder(ofFile: row[2]))
      (file.title, file.albumArtist, file.artist, file.trackTitle) = try (
        ShownText.cut(row[3] ?? ""), ShownText.cut(row[4] ?? ""), ShownText.cut(row[5] ?? ""), row[6] ?? ""
      )
      (file.disc, file.track, file.recordingID) = try (row[7], row[8], row[9])
      file.name = (try row[2] as String).split(separator: "/").last.map(String.init) ?? ""
      let state: String = try row[10]
      file.isDecoded = file.recordingID != nil && ["ok", "damaged"].contains(state)
      var tags: [String: [String]] = [:]
      for pair in Self.pairs(try row[12]) { tags[pair.name, default: []].append(pair.value) }
      let truths: Set<String> = ["1", "true", "yes"]
      file.isCompilation = tags["COMPILATION"]?.contains { truths.contains($0.lowercased()) } ?? false
      file.releaseGroup = Self.identifier(tags["MUSICBRAINZ_RELEASEGROUPID"])
      file.release = Self.identifier(tags["MUSICBRAINZ_ALBUMID"])
      file.releaseType = (tags["RELEASETYPE"] ?? tags["MUSICBRAINZ_ALBUMTYPE"])?.first.map {
        TextFolding.fold($0).withoutBlankEnds
      }
      func sortName(_ name: String) -> String { tags[name].map { ShownText.cut($0.joined(separator: "; ")) } ?? "" }
      (file.artistSort, file.albumArtistSort, file.titleSort) = (
        sortName("ARTISTSORT"), sortName("ALBUMARTISTSORT"), sortName("ALBUMSORT")
      )
      let names = ArtistCredit.names(
        artists: tags["ARTISTS"] ?? [], artist: tags["ARTIST"] ?? [], idCount: tags["MUSICBRAINZ_ARTISTID"]?.count ?? 0,
        separators: separators)
      file.artists = names.count > 1 ? names : []
      if let choice = try row[13] as String? {
        let names = try JSONDecoder().decode([String].self, from: Data(choice.utf8))
        if names.count == 2 { file.choice = AlbumNames(artist: names[0], title: names[1]) }
      }
      return (file, try row[11])
    }
  }

  /// What was chosen for a recording, else what was when it had another hash.
  private static let choice = """
    coalesce(
      (SELECT json_array(album_choice.artist, album_choice.title) FROM album_choice
        WHERE shelf = album_shelf AND hash = (SELECT audio.hash FROM audio WHERE audio.id = file.audio_id)),
      (SELECT json_array(album_choice.artist, album_choice.title) FROM album_choice
        WHERE shelf = album_shelf
          AND hash IN (SELECT former_hash.hash FROM audio JOIN former_hash ON former_hash.current = audio.hash
                        WHERE audio.id = file.audio_id)
        ORDER BY hash LIMIT 1))
    """

  /// Names and values, as the statement puts them together.
  private static func pairs(_ text: String?) -> [(name: String, value: String)] {
    (text ?? "").split(separator: "\u{1E}").compactMap { pair in
      let parts = pair.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (name: String(parts[0]), value: String(parts[1])) : nil
    }
  }

  /// A MusicBrainz id, which programs write with and without capitals; nil for anything else.
  private static func identifier(_ values: [String]?) -> String? {
    guard let value = values?.first.map(\.withoutBlankEnds), UUID(uuidString: value) != nil else { return nil }
    return value.lowercased()
  }
}
