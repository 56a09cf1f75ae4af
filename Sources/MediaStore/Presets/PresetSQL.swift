/// Which assignments concern a track, and the preset that follows from them, as SQL.
enum PresetSQL {
  /// The columns of `preset_assignment`, `level` (lower is more specific) and `preset_name`, a row an assignment; each is
  /// found by the primary key.
  ///
  /// The parameters are expressions. An album belongs to its album artist, or to its artist where there is none; a track
  /// to both.
  static func assignments(hash: String, artist: String, albumArtist: String, album: String) -> String {
    let owner = "coalesce(nullif(\(albumArtist), ''), \(artist), '')"
    return [
      level(1, scope: "track", hash: hash),
      level(2, scope: "album", artist: owner, album: album),
      level(3, scope: "artist", artist: artist),
      level(4, scope: "artist", artist: albumArtist),
      level(5, scope: "library"),
    ].joined(separator: " UNION ALL ")
  }

  /// The name of the preset with which a row of ``QueryCompiler/source`` is heard; NULL where there is none, or it is
  /// switched off.
  static let name = """
    (SELECT CASE WHEN min(is_on) = 1 THEN substr(min(level || preset_name), 2) END
       FROM (\(assignments(
         hash: "audio.hash", artist: "file.artist", albumArtist: "file.albumartist", album: "file.album"))))
    """

  private static func level(
    _ level: Int, scope: String, hash: String = "x''", artist: String = "''", album: String = "''"
  ) -> String {
    """
    SELECT \(level) AS level, a.*,
           coalesce((SELECT preset.name FROM preset WHERE preset.id = a.preset_id), a.built_in) AS preset_name
      FROM preset_assignment AS a
     WHERE a.scope = '\(scope)' AND a.hash = \(hash) AND a.artist = \(artist) AND a.album = \(album)
    """
  }
}
