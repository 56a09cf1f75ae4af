package import Base
internal import Foundation
internal import LibraryDatabase
package import MediaStore

extension Scans {
  /// The paths of a root's files that had lyrics in a file beside them when that was last looked at, found through
  /// `file_with_lyrics_beside`; among them files that are missing.
  package func filesWithLyricsBeside(inRoot rootID: Int64) throws(StoreError) -> Set<BytePath> {
    try store.read { db in
      var paths: Set<BytePath> = []
      let rows = try Row.fetchCursor(
        db, sql: "SELECT path FROM file WHERE root_id = ? AND has_lyrics_beside", arguments: [rootID])
      while let row = try rows.next() { paths.insert(BytePath(try row[0] as Data)) }
      return paths
    }
  }

  /// Notes which files of a root have lyrics beside them now, and which no longer do; paths that the library does not know are left
  /// out.
  package func noteLyricsBeside(
    _ found: Set<BytePath>, gone: Set<BytePath>, inRoot rootID: Int64
  ) throws(StoreError) {
    try store.write(.batch) { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE file SET has_lyrics_beside = ? WHERE root_id = ? AND path = ?")
      for (paths, hasLyrics) in [(found, true), (gone, false)] {
        for path in paths.sorted() { try statement.execute(arguments: [hasLyrics, rootID, path.data]) }
      }
    }
  }
}
