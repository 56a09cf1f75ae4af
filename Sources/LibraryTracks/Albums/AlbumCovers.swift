internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// Which picture is the cover of an album, as somebody says by hand: it comes before all others, follows the album, and can be undone.
extension Albums {
  /// Makes a picture the cover of an album, with a copy of its bytes, so that it stays when the file goes.
  ///
  /// - Parameter picture: its type is that of the bytes.
  /// - Throws: ``StoreError``.
  package func chooseCover(_ picture: Artwork, ofAlbum album: Album) throws(StoreError) {
    try store.edit("choose the cover of \(Self.text(album))") { editor in
      try editor.db.execute(
        sql: "INSERT OR IGNORE INTO artwork (hash, mime_type, bytes) VALUES (?, ?, ?)",
        arguments: [Data(picture.hash.bytes), picture.mimeType, Data(picture.bytes)])
      var row = Self.coverRow(of: album)
      row.value = picture.hash.description
      let before = try row.stored(editor.db)
      if before?.value != row.value { try editor.put(row, insteadOf: before) }
      // Its bytes may have been missing.
      try editor.db.execute(sql: "INSERT OR IGNORE INTO album_due VALUES ('album', ?)", arguments: [album.id])
    }
  }

  /// Lets files and tags say again what the cover of an album is.
  ///
  /// - Returns: whether one was chosen.
  package func forgetCover(ofAlbum album: Album) throws(StoreError) -> Bool {
    try store.edit("forget the chosen cover of \(Self.text(album))") { editor in
      guard let before = try Self.coverRow(of: album).stored(editor.db) else { return false }
      try editor.remove(before)
      return true
    }
  }

  private static func coverRow(of album: Album) -> GroupAttributeRow {
    GroupAttributeRow(
      group: .album(album.knownNames.title, artist: album.knownNames.artist), name: GroupAttributeRow.coverName,
      value: "")
  }

  /// The album of the first present file of a recording; nil if it is on none with a title.
  package func id(ofRecording id: Int64) throws(StoreError) -> Int64? {
    try store.files.all(ofRecording: id).first.flatMap { file throws(StoreError) in try self.id(ofFile: file.id) }
  }

  /// The album of a file; nil if it is on none with a title.
  package func id(ofFile id: Int64) throws(StoreError) -> Int64? {
    try store.read { db in
      try Int64.fetchOne(
        db,
        sql: "SELECT album.id FROM file JOIN album ON album.id = file.album_id WHERE file.id = ? AND known_title <> ''",
        arguments: [id])
    }
  }

  /// A present file of an album, of its first edition and its first track; nil if it has none.
  package func firstFile(of album: Int64) throws(StoreError) -> Int64? {
    try store.read { db in
      try Int64.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT id FROM file
             WHERE album_id = ? AND missing_since IS NULL AND audio_id IS NOT NULL
             ORDER BY album_edition, album_disc, coalesce(track, 0), path LIMIT 1
            """), arguments: [album])
    }
  }
}
