package import Base
internal import Foundation
package import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// A picture beside sound files that the library knows.
package struct KnownFolderPicture: Hashable, Sendable {
  package var id: Int64
  /// Relative to the root.
  package var path: BytePath
  package var version: FolderPicture.Version
}

/// A picture beside sound files, as a scan has just read it.
package struct FolderPicture: Hashable, Sendable {
  package enum Contents: Hashable, Sendable {
    /// The hash of its bytes, and their media type.
    case picture(ContentHash, mimeType: String)
    /// Why it cannot be a cover.
    case unusable(reason: String)
  }

  /// What tells that a file is another one, even if it was copied or moved there with the time and size of the one before.
  package struct Version: Hashable, Sendable {
    package var byteCount: Int64
    package var modificationTimeInNanoseconds: Int64
    package var changeTimeInNanoseconds: Int64

    package init(_ status: FileStatus) {
      byteCount = status.byteCount
      modificationTimeInNanoseconds = status.modificationTimeInNanoseconds
      changeTimeInNanoseconds = status.changeTimeInNanoseconds
    }

    fileprivate init(byteCount: Int64, modified: Int64, changed: Int64) {
      (self.byteCount, modificationTimeInNanoseconds, changeTimeInNanoseconds) = (byteCount, modified, changed)
    }
  }

  /// Relative to the root.
  package var path: BytePath
  package var version: Version
  package var contents: Contents

  package init(path: BytePath, version: Version, contents: Contents) {
    self.path = path
    self.version = version
    self.contents = contents
  }
}

extension Scans {
  /// The known pictures beside files below a folder of a root, by path.
  package func folderPictures(
    inRoot rootID: Int64, below folder: BytePath = BytePath("")
  ) throws(StoreError) -> [KnownFolderPicture] {
    let pictures = try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, path, size_bytes, mtime_ns, ctime_ns FROM folder_picture WHERE root_id = ? ORDER BY path",
        arguments: [rootID]
      ).map { row in
        try KnownFolderPicture(
          id: row[0], path: BytePath(row[1] as Data),
          version: FolderPicture.Version(byteCount: row[2], modified: row[3], changed: row[4]))
      }
    }
    return pictures.filter { $0.path.isBelowOrEqual(to: folder) }
  }

  /// Stores pictures that were read, and forgets some that are gone; albums get their covers in the same transaction.
  ///
  /// - Parameter pictures: with names that covers have.
  package func apply(
    _ pictures: [FolderPicture], forgetting ids: [Int64] = [], inRoot rootID: Int64
  ) throws(StoreError) {
    try store.write(.batch) { db in
      for id in ids {
        try db.cachedStatement(sql: "DELETE FROM folder_picture WHERE id = ?").execute(arguments: [id])
      }
      for picture in pictures {
        guard let rank = CoverFile.rank(ofName: picture.path) else { continue }
        var (hash, type, problem): (Data?, String?, String?) = (nil, nil, nil)
        switch picture.contents {
        case .picture(let found, let mimeType): (hash, type) = (Data(found.bytes), mimeType)
        case .unusable(let reason): problem = reason
        }
        try db.cachedStatement(
          sql: """
            INSERT INTO folder_picture
                   (root_id, path, path_text, rank, size_bytes, mtime_ns, ctime_ns, hash, mime_type, problem)
            VALUES (:root, :path, :text, :rank, :size, :mtime, :ctime, :hash, :type, :problem)
            ON CONFLICT (root_id, path) DO UPDATE
               SET rank = excluded.rank, size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns,
                   ctime_ns = excluded.ctime_ns, hash = excluded.hash, mime_type = excluded.mime_type, problem = excluded.problem
            """
        ).execute(arguments: [
          "root": rootID, "path": picture.path.data, "text": picture.path.displayString, "rank": rank,
          "size": picture.version.byteCount, "mtime": picture.version.modificationTimeInNanoseconds,
          "ctime": picture.version.changeTimeInNanoseconds, "hash": hash, "type": type, "problem": problem,
        ])
      }
    }
  }
}

extension FolderPicture {
  /// Lets what is known of a root's pictures become part of another root, in which it is `folder`.
  package static func moveAll(
    ofRoot rootID: Int64, to other: Int64, below folder: BytePath, _ db: Database
  ) throws {
    for row in try Row.fetchAll(db, sql: "SELECT id, path FROM folder_picture WHERE root_id = ?", arguments: [rootID]) {
      let path = try folder.appending(BytePath(row[1] as Data))
      try db.cachedStatement(sql: "UPDATE folder_picture SET root_id = ?, path = ?, path_text = ? WHERE id = ?")
        .execute(arguments: [other, path.data, path.displayString, row[0] as Int64])
    }
  }
}
