internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel

/// Covers: what was chosen, else a picture beside the files, else one in their tags (docs/albums.md).
extension AlbumWriter {
  /// Gives changed pictures their folder, and notes the albums for which that can make a difference.
  func placePictures() throws {
    let ids = try Int64.fetchAll(db, sql: "SELECT value FROM album_due WHERE kind = 'picture' ORDER BY value")
    for id in ids {
      try run("DELETE FROM album_due WHERE kind = 'picture' AND value = ?", [id])
      guard
        let row = try Row.fetchOne(
          db.cachedStatement(sql: "SELECT root_id, path, folder FROM folder_picture WHERE id = ?"),
          arguments: [id])
      else { continue }
      let folder = try FolderHash.hash(rootID: row[0], folderOf: BytePath(row[1] as Data))
      let former: Int64? = try row[2]
      if former != folder { try run("UPDATE folder_picture SET folder = ? WHERE id = ?", [folder, id]) }
      for changed in Set([former, folder].compactMap { $0 }) {
        try run(
          """
          INSERT OR IGNORE INTO album_due
            SELECT DISTINCT 'album', album_id FROM file
             WHERE (folder = ?1 OR album_folder = ?1) AND missing_since IS NULL AND album_id IS NOT NULL
          """, [changed])
      }
    }
  }

  /// The cover of an album, and where it is from; nil if it has none.
  ///
  /// - Parameter files: in the order in which one hears them, each with its folders, its own before that of the album.
  func cover(of album: Int64, files: [(id: Int64, folders: [Int64?])]) throws -> (hash: Data, source: String)? {
    if let chosen = try chosenCover(of: album) { return (chosen, "chosen") }
    if let beside = try coverBeside(files.map(\.folders)) { return (beside, "beside") }
    return try coverInTags(of: album, files.map(\.id)).map { ($0, "tags") }
  }

  private func chosenCover(of album: Int64) throws -> Data? {
    let value = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT value FROM album JOIN group_attribute
              ON scope = 'album' AND group_attribute.artist = known_artist AND group_attribute.album = known_title
           WHERE album.id = ? AND name = 'cover' AND person_id = 1
          """), arguments: [album])
    guard let hash = value.flatMap(ContentHash.init(hexadecimal:)).map({ Data($0.bytes) }) else { return nil }
    let isThere = try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM artwork WHERE hash = ?1) OR EXISTS (SELECT 1 FROM folder_picture WHERE hash = ?1)
          """), arguments: [hash])
    return isThere == true ? hash : nil
  }

  private func coverBeside(_ folders: [[Int64?]]) throws -> Data? {
    let hasAny = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM folder_picture WHERE hash IS NOT NULL)"))
    guard hasAny == true else { return nil }
    let picture = try db.cachedStatement(
      sql: "SELECT hash FROM folder_picture WHERE folder = ? AND hash IS NOT NULL ORDER BY rank, path LIMIT 1")
    var asked: Set<Int64> = []
    for folder in folders.joined() {
      guard let folder, asked.insert(folder).inserted else { continue }
      if let hash = try Data.fetchOne(picture, arguments: [folder]) { return hash }
    }
    return nil
  }

  /// The first front cover, else the first picture.
  private func coverInTags(of album: Int64, _ files: [Int64]) throws -> Data? {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT file_id, picture_type = 3, hash
            FROM file JOIN file_artwork ON file_id = file.id JOIN artwork ON artwork.id = artwork_id
           WHERE album_id = ? AND missing_since IS NULL AND is_shown
           ORDER BY position DESC
          """), arguments: [album])
    guard !rows.isEmpty else { return nil }
    var (fronts, others): ([Int64: Data], [Int64: Data]) = ([:], [:])
    // The first of a file is the last here.
    for row in rows {
      if try row[1] { fronts[try row[0]] = try row[2] } else { others[try row[0]] = try row[2] }
    }
    return files.lazy.compactMap { fronts[$0] }.first ?? files.lazy.compactMap { others[$0] }.first
  }
}
