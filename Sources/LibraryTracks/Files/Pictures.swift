package import Base
internal import Foundation
internal import Glibc
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// A picture in tags or beside files, without its bytes.
package struct StoredPicture: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// Its bytes are in the library.
    case tags
    /// It is in files with the same bytes: paths below roots, at least one.
    case files([RootedPath])
  }

  package struct RootedPath: Hashable, Sendable {
    package var path: BytePath
    package var root: BytePath
  }

  package var hash: ContentHash
  package var mimeType: String
  package var byteCount: Int
  /// As ID3 numbers them, in the file that was asked for; nil if none was, and for pictures beside files.
  package var pictureType: Int?
  package var caption = ""
  package var place = Place.tags

  /// Where it is, for people and documents: `tags` or `beside`.
  package var source: String { place == .tags ? "tags" : "beside" }
  /// Of one beside files.
  package var path: BytePath? {
    if case .files(let files) = place { files.first.map { $0.root.appending($0.path) } } else { nil }
  }
}

/// The pictures of a library: those in files' tags, whose bytes it has, and those beside files.
package struct Pictures {
  let store: MediaStore
}

extension MediaStore {
  /// Its pictures.
  package var pictures: Pictures { Pictures(store: self) }
}

extension Pictures {
  /// Those of the first present file of a recording, see ``all(ofFile:)``.
  package func all(ofRecording id: Int64) throws(StoreError) -> [StoredPicture] {
    try store.files.all(ofRecording: id).first.map { file throws(StoreError) in try all(ofFile: file.id) } ?? []
  }

  /// The pictures of a file: those in its tags, then those beside it and in the folder of which its own is a disc.
  package func all(ofFile id: Int64) throws(StoreError) -> [StoredPicture] {
    try store.read { db in
      let inTags = try Row.fetchAll(
        db,
        sql: """
          SELECT hash, mime_type, length(bytes), picture_type, caption
            FROM file_artwork JOIN artwork ON artwork.id = artwork_id
           WHERE file_id = ? ORDER BY position
          """, arguments: [id]
      ).compactMap(StoredPicture.init(inTags:))
      let beside = try Row.fetchAll(
        db,
        sql: """
          SELECT \(StoredPicture.columnsBeside)
            FROM file JOIN folder_picture AS picture ON picture.folder IN (file.folder, file.album_folder)
                 JOIN root ON root.id = picture.root_id
           WHERE file.id = ? AND hash IS NOT NULL
           ORDER BY picture.folder <> file.folder, rank, picture.path
          """, arguments: [id]
      ).compactMap(StoredPicture.init(beside:))
      return inTags + beside
    }
  }

  /// The cover of a file; nil if it has none.
  package func cover(ofFile id: Int64) throws(StoreError) -> StoredPicture? {
    try covers(ofFiles: [id])[0].flatMap { hash throws(StoreError) in try picture(hash) }
  }

  /// The cover of an album; nil if it has none.
  package func cover(ofAlbum id: Int64) throws(StoreError) -> StoredPicture? {
    try covers(ofAlbums: [id])[0].flatMap { hash throws(StoreError) in try picture(hash) }
  }

  /// The picture with a hash; nil if there is none.
  package func picture(_ hash: ContentHash) throws(StoreError) -> StoredPicture? {
    try store.read { db in
      let key = Data(hash.bytes)
      let inTags = try Row.fetchOne(
        db, sql: "SELECT hash, mime_type, length(bytes), NULL, '' FROM artwork WHERE hash = ?", arguments: [key]
      ).flatMap(StoredPicture.init(inTags:))
      if let inTags { return inTags }
      let beside = try Row.fetchAll(
        db,
        sql: """
          SELECT \(StoredPicture.columnsBeside) FROM folder_picture AS picture JOIN root ON root.id = picture.root_id
           WHERE hash = ? ORDER BY picture.id LIMIT ?
          """, arguments: [key, Self.mostFilesOfPicture]
      ).compactMap(StoredPicture.init(beside:))
      guard var picture = beside.first else { return nil }
      picture.place = .files(
        beside.flatMap { other -> [StoredPicture.RootedPath] in
          guard case .files(let files) = other.place else { return [] }
          return files
        })
      return picture
    }
  }

  /// All bytes of a picture; nil if it is gone, or if the file is no longer the one that was scanned.
  ///
  /// A file is opened below its root, and through no link.
  package func bytes(of picture: StoredPicture) throws(StoreError) -> [UInt8]? {
    guard case .files(let files) = picture.place else {
      let bytes = try bytes(inTags: picture.hash, 0..<picture.byteCount)
      return bytes.count == picture.byteCount ? bytes : nil
    }
    return files.lazy.compactMap { bytes(of: $0, withHash: picture.hash) }.first
  }

  /// Copies of one picture lie in many folders; so many of them are tried.
  private static let mostFilesOfPicture = 32

  private func bytes(of file: StoredPicture.RootedPath, withHash hash: ContentHash) -> [UInt8]? {
    guard let folder = try? FolderDescriptor(opening: file.root),
      let (descriptor, status) = try? folder.openRegularFile(throughNoLink: file.path)
    else { return nil }
    defer { close(descriptor) }
    guard status.byteCount <= Int64(CoverFile.largestByteCount),
      let bytes = try? DescriptorBytes.bytes(from: descriptor, count: Int(status.byteCount)),
      ContentHash(of: bytes) == hash
    else { return nil }
    return bytes
  }

  /// Some of the bytes of a picture in tags; fewer at its end, none if it is gone.
  package func bytes(inTags hash: ContentHash, _ range: Range<Int>) throws(StoreError) -> [UInt8] {
    try store.read { db in
      let bytes = try Data.fetchOne(
        db, sql: "SELECT substr(bytes, ?, ?) FROM artwork WHERE hash = ?",
        arguments: [range.lowerBound + 1, range.count, Data(hash.bytes)])
      return bytes.map { Array($0) } ?? []
    }
  }

  /// Which of some absolute paths are pictures beside files that the library knows.
  package func known(at paths: [BytePath]) throws(StoreError) -> [BytePath] {
    let roots = try store.roots.all()
    return try store.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM folder_picture WHERE root_id = ? AND path = ?)")
      return try paths.filter { path in
        try roots.contains { root in
          guard path.isBelowOrEqual(to: root.path), path != root.path else { return false }
          return try Bool.fetchOne(statement, arguments: [root.id, path.relative(to: root.path).data]) == true
        }
      }
    }
  }

  /// The hash of the cover of each file; nil for files without one.
  package func covers(ofFiles ids: [Int64]) throws(StoreError) -> [ContentHash?] {
    try hashes(ids, "SELECT \(CoverSQL.hash) FROM file WHERE id = ?")
  }

  /// The hash of the cover of each album; nil for albums without one.
  package func covers(ofAlbums ids: [Int64]) throws(StoreError) -> [ContentHash?] {
    try hashes(ids, "SELECT cover FROM album WHERE id = ?")
  }

  private func hashes(_ ids: [Int64], _ sql: String) throws(StoreError) -> [ContentHash?] {
    try store.read { db in
      let statement = try db.cachedStatement(sql: sql)
      return try ids.map { id in
        try Row.fetchOne(statement, arguments: [id]).flatMap { try $0[0] as Data? }.flatMap { ContentHash(bytes: $0) }
      }
    }
  }
}

extension StoredPicture {
  fileprivate static let columnsBeside = "hash, mime_type, picture.size_bytes, picture.path, root.path"

  fileprivate init?(inTags row: Row) throws {
    guard let hash = try ContentHash(bytes: row[0] as Data) else { return nil }
    try self.init(hash: hash, mimeType: row[1], byteCount: row[2], pictureType: row[3], caption: row[4])
  }

  /// - Parameter row: ``columnsBeside``.
  fileprivate init?(beside row: Row) throws {
    guard let hash = try ContentHash(bytes: row[0] as Data) else { return nil }
    try self.init(
      hash: hash, mimeType: row[1], byteCount: row[2],
      place: .files([RootedPath(path: BytePath(row[3] as Data), root: BytePath(row[4] as Data))]))
  }
}
