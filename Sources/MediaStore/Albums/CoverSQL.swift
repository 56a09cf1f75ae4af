/// Parts of statements about the covers of files, each a hash or NULL; they stand where `file` is a table.
package enum CoverSQL {
  /// What a file's cover is: what was chosen for its album, else what lies beside it, else the front cover in its tags, else in those
  /// of its edition, else the album's, else any picture in its tags.
  package static let hash = """
    CASE (SELECT cover_source FROM album WHERE album.id = file.album_id)
      WHEN 'chosen' THEN \(ofAlbum)
      ELSE coalesce(\(beside("file.folder")), \(beside("file.album_folder")), \(inTags("AND picture_type = 3")),
                    \(ofEdition), \(ofAlbum), \(inTags(""))) END
    """

  /// Whether it has one.
  package static let exists = """
    (EXISTS (SELECT 1 FROM album WHERE album.id = file.album_id AND cover IS NOT NULL)
     OR EXISTS (SELECT 1 FROM folder_picture
                 WHERE folder_picture.folder IN (file.folder, file.album_folder) AND hash IS NOT NULL AND \(isOfFolder))
     OR \(inTags("")) IS NOT NULL)
    """

  /// Whether a row of `artwork` is needed: a file has it, it was chosen for an album, or `undo` may choose it again, or
  /// `tags undo` write it.
  package static let isNeeded =
    "(\(isNeededBefore12) OR EXISTS (SELECT 1 FROM file_change_picture WHERE hash = artwork.hash))"

  /// The same in schema 11, which has no changes of files.
  package static let isNeededBefore12 = """
    (EXISTS (SELECT 1 FROM file_artwork WHERE artwork_id = artwork.id)
     OR EXISTS (SELECT 1 FROM group_attribute
                 WHERE scope = 'album' AND name = 'cover' AND person_id = 1 AND value = lower(hex(artwork.hash)))
     OR EXISTS (SELECT 1 FROM change_row
                 WHERE table_name = 'group_attribute'
                   AND (instr(before, lower(hex(artwork.hash))) OR instr(after, lower(hex(artwork.hash))))))
    """

  private static let ofAlbum = "(SELECT cover FROM album WHERE album.id = file.album_id)"

  /// The first front cover in the tags of an edition; an album with one edition has none but its own.
  private static let ofEdition = """
    (SELECT artwork.hash
       FROM album CROSS JOIN file AS other ON other.album_id = album.id
            CROSS JOIN file_artwork ON file_id = other.id JOIN artwork ON artwork.id = artwork_id
      WHERE album.id = file.album_id AND edition_count > 1 AND known_title <> ''
        AND other.album_edition = file.album_edition AND other.missing_since IS NULL AND is_shown AND picture_type = 3
      ORDER BY other.album_disc, coalesce(other.track, 0), other.path, position LIMIT 1)
    """

  /// Whether a file has what its folder has: a track without an album only if nothing else is there, because people keep such tracks
  /// in folders of downloads.
  private static let isOfFolder = """
    (EXISTS (SELECT 1 FROM album WHERE album.id = file.album_id AND known_title <> '')
     OR NOT \(others("< file.album_id")) AND NOT \(others("> file.album_id")) AND NOT \(others("IS NULL")))
    """

  /// Each is a place in the index `file_by_folder`.
  private static func others(_ condition: String) -> String {
    """
    EXISTS (SELECT 1 FROM file AS other
             WHERE other.folder = file.folder AND other.album_id \(condition) AND other.missing_since IS NULL)
    """
  }

  private static func beside(_ folder: String) -> String {
    """
    (SELECT hash FROM folder_picture
      WHERE folder_picture.folder = \(folder) AND hash IS NOT NULL AND \(isOfFolder) ORDER BY rank, path LIMIT 1)
    """
  }

  private static func inTags(_ condition: String) -> String {
    """
    (SELECT artwork.hash FROM file_artwork JOIN artwork ON artwork.id = artwork_id
      WHERE file_id = file.id AND is_shown \(condition) ORDER BY position LIMIT 1)
    """
  }
}
