package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import LibraryTracks
package import MediaModel
package import MediaStore
package import QueryLanguage

/// A file of the library whose tags may be written, as the last scan saw it.
package struct WritableFile: Hashable, Sendable {
  package var known: KnownFile
  package var root: Root
  /// 16 random bytes, which stay the same when it moves.
  package var key: [UInt8]
  package var isProtected: Bool
  package var container: Container?
  package var codec: Codec?

  package init(
    known: KnownFile, root: Root, key: [UInt8], isProtected: Bool, container: Container? = nil, codec: Codec? = nil
  ) {
    (self.known, self.root, self.key) = (known, root, key)
    (self.isProtected, self.container, self.codec) = (isProtected, container, codec)
  }

  /// Absolute.
  package var path: BytePath { root.path.appending(known.path) }
}

extension FileChanges {
  /// The files that a query finds, in its order; missing ones are left out.
  package func files(of query: Query) throws(StoreError) -> [WritableFile] {
    var ids: [Int64] = []
    try store.read { db in
      let plan = try QueryPlan(query, columns: "file.id", fields: [QueryField("file", .integer)], limit: nil, in: db)
      try plan.withFunctions(db) {
        try plan.run(db) { row in
          if case .integer(let id) = row.value(0) { ids.append(id) }
        }
      }
    }
    return try files(ids)
  }

  /// The files with these ids that are in the library and not missing, in that order.
  package func files(_ ids: [Int64]) throws(StoreError) -> [WritableFile] {
    try store.read { db in
      var files: [WritableFile] = []
      for id in ids {
        let row = try Row.fetchOne(
          db.cachedStatement(sql: Self.files + " WHERE file.id = ? AND missing_since IS NULL"), arguments: [id])
        if let row { files.append(try Self.file(row)) }
      }
      return files
    }
  }

  /// The file that has a key now, or else lies at a path; nil if it is gone.
  func file(key: [UInt8], path: BytePath, _ db: Database) throws -> WritableFile? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: Self.files + " WHERE file.key = ? AND missing_since IS NULL"), arguments: [Data(key)])
    if let row { return try Self.file(row) }
    // In another library it may have another key.
    let known = try Row.fetchAll(db, sql: "SELECT id, path FROM root").first {
      path.isBelowOrEqual(to: BytePath(try $0[1] as Data))
    }
    guard let known else { return nil }
    return try Row.fetchOne(
      db.cachedStatement(sql: Self.files + " WHERE file.root_id = ? AND file.path = ? AND missing_since IS NULL"),
      arguments: [known[0] as Int64, path.relative(to: BytePath(known[1] as Data)).data]
    ).map(Self.file)
  }

  private static let files = """
    SELECT \(Scans.knownFileColumns.replacing("id, path, size_bytes", with: "file.id, file.path, size_bytes")), key, container,
           (SELECT codec FROM stream WHERE stream.id = file.stream_id), root.id, root.path, root.volume, root.added_at,
           root.is_protected
      FROM file JOIN root ON root.id = file.root_id
    """

  private static func file(_ row: Row) throws -> WritableFile {
    try WritableFile(
      known: Scans.knownFile(row),
      root: Root(id: row[17], path: BytePath(row[18] as Data), volume: row[19], addedAt: row[20]),
      key: Array(row[14] as Data), isProtected: row[21], container: (row[15] as String?).map(Container.init(rawValue:)),
      codec: (row[16] as String?).map(Codec.init(rawValue:)))
  }
}

extension Roots {
  /// The roots whose files no command may write.
  package func protectedIDs() throws(StoreError) -> Set<Int64> {
    try store.read { try Int64.fetchSet($0, sql: "SELECT id FROM root WHERE is_protected") }
  }

  /// Forbids, or allows again, that commands write the files of a root.
  package func protect(_ id: Int64, _ isProtected: Bool) throws(StoreError) {
    try store.write(.durable) { db in
      try db.execute(sql: "UPDATE root SET is_protected = ? WHERE id = ?", arguments: [isProtected, id])
    }
  }
}
