internal import Foundation
internal import GRDB
package import MediaModel

extension MediaStore {
  /// The tags and pictures of one of a recording's files, pictures with their bytes.
  ///
  /// - Parameter path: The file that is meant; the first one that is present without it.
  package func tagsAndArtwork(
    ofRecording id: Int64, preferring path: BytePath? = nil
  ) throws(StoreError) -> (tags: Tags, artwork: [Artwork]) {
    let files = try files(ofRecording: id)
    guard let file = files.first(where: { $0.path == path }) ?? files.first else { return (Tags(), []) }
    return try read { db in (try Self.tags(ofFile: file.id, db), try Self.artwork(ofFile: file.id, db)) }
  }

  private static func artwork(ofFile id: Int64, _ db: Database) throws -> [Artwork] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT picture_type, mime_type, caption, hash, bytes
          FROM file_artwork JOIN artwork ON artwork.id = artwork_id
         WHERE file_id = ? ORDER BY position
        """, arguments: [id]
    ).compactMap { row in
      guard let hash = try ContentHash(bytes: Array(row[3] as Data)) else { return nil }
      return try Artwork(
        pictureType: row[0], mimeType: row[1], caption: row[2], hash: hash, bytes: Array(row[4] as Data))
    }
  }
}
