internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

extension ChangeWriter {
  mutating func writeArtwork(_ pictures: [Artwork], fileID: Int64) throws {
    try collectArtwork(ofFile: fileID)
    try run("DELETE FROM file_artwork WHERE file_id = :file", ["file": fileID])
    for (position, picture) in pictures.enumerated() {
      try run(
        "INSERT INTO file_artwork VALUES (:file, :position, :artwork, :type, :caption)",
        [
          "file": fileID, "position": position, "artwork": try artworkID(picture), "type": picture.pictureType,
          "caption": picture.caption,
        ])
    }
  }

  private func artworkID(_ picture: Artwork) throws -> Int64 {
    let hash = Data(picture.hash.bytes)
    let known = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM artwork WHERE hash = ?"), arguments: [hash])
    if let known { return known }
    try run(
      "INSERT INTO artwork (hash, mime_type, bytes, is_shown) VALUES (:hash, :type, :bytes, :shown)",
      [
        "hash": hash, "type": picture.mimeType, "bytes": Data(picture.bytes),
        "shown": PictureMediaType.isShown(picture.bytes),
      ])
    return db.lastInsertedRowID
  }

  /// Remembers the pictures that a file is about to lose.
  mutating func collectArtwork(ofFile fileID: Int64) throws {
    looseArtworkIDs.formUnion(
      try Int64.fetchAll(
        db.cachedStatement(sql: "SELECT artwork_id FROM file_artwork WHERE file_id = ?"), arguments: [fileID]))
  }

  /// Deletes those of them that no file has any more, unless somebody has chosen them or `undo` may bring the choice back.
  func dropLooseArtwork() throws {
    for id in looseArtworkIDs {
      try run("DELETE FROM artwork WHERE id = :id AND NOT \(CoverSQL.isNeeded)", ["id": id])
    }
  }
}
