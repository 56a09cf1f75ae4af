internal import MediaModel

/// Conditions on a row of `file`; each is 0 or 1.
package enum FileRowSQL {
  /// Remark about a file that is left out.
  package static let excludedNote = "excluded"
  /// Left out by the last scan of its folder, which noted it.
  package static let isExcluded = "coalesce(file.notes LIKE '%\"\(excludedNote)\"%', 0)"
  package static let isUnreadableFolder = "coalesce(file.problem_code = '\(Problem.unreadableFolderCode)', 0)"
  /// Without the bytes of a sound; whether the name is that of one is not asked.
  package static let isWithoutSound = """
    (file.audio_id IS NULL AND file.last_state IN ('unsupported', 'empty')
     AND coalesce(file.problem_code IN ('empty', 'not-audio'), 1))
    """
}

/// SQL for the album that a file belongs to.
package enum AlbumSQL {
  /// SQL for the edition of an album that a file belongs to: the folder, see ``AlbumEdition``, and the codec.
  package static func edition(_ file: String = "file", _ root: String = "root", _ stream: String = "stream") -> String {
    """
    (edition_folder(rtrim(\(root).path_text, '/') || '/' || \(file).path_text)
     || coalesce(' [' || \(stream).codec || ']', ''))
    """
  }

  /// A column of the album that a file belongs to; NULL for tracks without an album.
  package static func column(_ name: String, of file: String = "file") -> String {
    "(SELECT \(name) FROM album WHERE album.id = \(file).album_id AND album.title <> '')"
  }
}
