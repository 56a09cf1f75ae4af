package import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore
internal import UserData

/// A CUE sheet that the library knows.
package struct KnownCueSheet: Hashable, Sendable {
  package var id: Int64
  /// Relative to the root.
  package var path: BytePath
  package var stamp: FileStatus.Stamp
}

extension Scans {
  /// The known CUE sheets below a folder of a root, by path.
  package func cueSheets(
    inRoot rootID: Int64, below folder: BytePath = BytePath("")
  ) throws(StoreError) -> [KnownCueSheet] {
    let sheets = try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, path, size_bytes, mtime_ns FROM cue_sheet WHERE root_id = ? ORDER BY path",
        arguments: [rootID]
      ).map { row in
        try KnownCueSheet(
          id: row[0], path: BytePath(row[1] as Data),
          stamp: FileStatus.Stamp(byteCount: row[2], modificationTimeInNanoseconds: row[3]))
      }
    }
    return sheets.filter { $0.path.isBelowOrEqual(to: folder) }
  }
}
