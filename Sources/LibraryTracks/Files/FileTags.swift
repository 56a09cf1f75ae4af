package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
package import QueryLanguage
internal import UserData

extension Files {
  /// Calls `body` with the path and all tags of each file that a query finds, in its order.
  ///
  /// `body` must not call the store; its errors are rethrown.
  package func forEachTagged(of query: Query, _ body: (BytePath, Tags) throws -> Void) throws {
    var stopped: (any Error)?
    try store.read { db in
      let fields = [QueryField("path", .path), QueryField("file", .integer)]
      let path = QueryCompiler(try QueryContext(db)).column(fields[0])
      let plan = try QueryPlan(query, columns: "\(path), file.id", fields: fields, limit: nil, in: db)
      let tags = try db.makeStatement(
        sql: """
          SELECT name, value FROM tag JOIN tag_name ON tag_name.id = name_id WHERE file_id = ? ORDER BY name, position
          """)
      do {
        try plan.withFunctions(db) {
          try plan.run(db) { row in
            guard case .path(let path) = row.value(0), case .integer(let id) = row.value(1) else { return }
            var properties: [Tags.Property] = []
            let rows = try Row.fetchCursor(tags, arguments: [id])
            while let row = try rows.next() {
              let name: String = try row[0]
              if properties.last?.name == name {
                try properties[properties.count - 1].values.append(row[1])
              } else {
                try properties.append(Tags.Property(name: name, values: [row[1]]))
              }
            }
            do {
              try body(path, Tags(properties))
            } catch {
              stopped = error
              throw error
            }
          }
        }
      } catch let stop as ListRow.Stop {
        // Errors of reading the tags are errors of the library.
        if stopped == nil { throw stop.reason }
      }
    }
    if let stopped { throw stopped }
  }

  /// All tags of a file; none if it is gone.
  package func tags(ofFile id: Int64) throws(StoreError) -> Tags { try store.read { try Tags(ofFile: id, $0) } }

  /// The tags and pictures (with their bytes, which can be half a gigabyte) of one of a recording's files.
  ///
  /// - Parameters:
  ///   - path: the file; nil for the first one that is present.
  ///   - withArtwork: whether the pictures are wanted.
  package func tagsAndArtwork(
    ofRecording id: Int64, preferring path: BytePath? = nil, withArtwork: Bool = true
  ) throws(StoreError) -> (tags: Tags, artwork: [Artwork]) {
    let files = try all(ofRecording: id)
    guard let file = files.first(where: { $0.path == path }) ?? files.first else { return (Tags(), []) }
    return try store.read { db in
      (try Tags(ofFile: file.id, db), withArtwork ? try Self.artwork(ofFile: file.id, db) : [])
    }
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
