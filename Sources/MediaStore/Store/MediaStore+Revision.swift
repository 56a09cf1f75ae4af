internal import Foundation
package import LibraryDatabase

/// In which state a library is, by the mark of its last transaction (``LogMark``).
extension MediaStore {
  /// What changes with every transaction of any process on the library.
  package func revision() throws(StoreError) -> String {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT lower(hex(substr(current, 1, 8))) FROM log_mark")
      return try String.fetchOne(statement) ?? ""
    }
  }

  /// Whether the path still leads to the file that was opened.
  package var isCurrent: Bool { library.hasName && !library.isReplaced }

  /// The revisions of the library before and after the transaction that was written last.
  package func latestRevisions() throws(StoreError) -> (previous: String, current: String) {
    try read { db in
      let row = try Row.fetchOne(
        db,
        sql: "SELECT coalesce(lower(hex(substr(previous, 1, 8))), ''), lower(hex(substr(current, 1, 8))) FROM log_mark")
      return try (row?[0] ?? "", row?[1] ?? "")
    }
  }

  /// Sixteen bytes that every write to the library replaces.
  package func stateMark() throws(StoreError) -> [UInt8] {
    try read { db in try Self.stateMark(db) }
  }

  package static func stateMark(_ db: Database) throws -> [UInt8] {
    try Data.fetchOne(db, sql: "SELECT current FROM log_mark").map { [UInt8]($0) } ?? []
  }
}
