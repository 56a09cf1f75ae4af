internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// A picture from tags, without its bytes.
package struct StoredPicture: Hashable, Sendable {
  package var hash: ContentHash
  package var mimeType: String
  package var byteCount: Int
  /// As ID3 numbers them, in the file that was asked for; nil if none was.
  package var pictureType: Int?

  fileprivate init?(row: Row) throws {
    guard let hash = try ContentHash(bytes: row[0] as Data) else { return nil }
    self.hash = hash
    (mimeType, byteCount, pictureType) = try (row[1], row[2], row[3])
  }
}

/// The pictures in files' tags.
package struct Pictures {
  let store: MediaStore
}

extension MediaStore {
  /// Its pictures.
  package var pictures: Pictures { Pictures(store: self) }
}

extension Pictures {
  /// The pictures of the first present file of a recording, without their bytes.
  package func all(ofRecording id: Int64) throws(StoreError) -> [StoredPicture] {
    guard let file = try store.files.all(ofRecording: id).first else { return [] }
    return try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT hash, mime_type, length(bytes), picture_type
            FROM file_artwork JOIN artwork ON artwork.id = artwork_id
           WHERE file_id = ? ORDER BY position
          """, arguments: [file.id]
      ).compactMap(StoredPicture.init(row:))
    }
  }

  /// The picture with a hash, without its bytes; nil if there is none.
  package func picture(_ hash: ContentHash) throws(StoreError) -> StoredPicture? {
    try store.read { db in
      try Row.fetchOne(
        db, sql: "SELECT hash, mime_type, length(bytes), NULL FROM artwork WHERE hash = ?",
        arguments: [Data(hash.bytes)]
      ).flatMap(StoredPicture.init(row:))
    }
  }

  /// Some of the bytes of a picture; fewer at its end, none if it is gone.
  package func bytes(of hash: ContentHash, _ range: Range<Int>) throws(StoreError) -> [UInt8] {
    try store.read { db in
      let bytes = try Data.fetchOne(
        db, sql: "SELECT substr(bytes, ?, ?) FROM artwork WHERE hash = ?",
        arguments: [range.lowerBound + 1, range.count, Data(hash.bytes)])
      return bytes.map { Array($0) } ?? []
    }
  }

  /// The hash of the front cover, else of the first picture, of each file; nil for files without one.
  package func hashes(ofFiles ids: [Int64]) throws(StoreError) -> [ContentHash?] {
    try store.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT artwork.hash FROM file_artwork JOIN artwork ON artwork.id = artwork_id WHERE file_id = ?
           ORDER BY picture_type <> 3, position LIMIT 1
          """)
      return try ids.map { try Data.fetchOne(statement, arguments: [$0]).flatMap { ContentHash(bytes: $0) } }
    }
  }
}
