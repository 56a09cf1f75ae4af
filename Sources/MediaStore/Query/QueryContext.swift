internal import GRDB
internal import MediaModel

/// What of a library decides how a query is put to it.
struct QueryContext {
  /// The folded paths of all roots.
  var roots: [String] = []
  /// Names of what users say of sounds.
  var attributeNames: Set<String> = []
  /// Not less than the number of files.
  var fileCount = 0

  init(_ db: Database) throws {
    roots = try String.fetchAll(db, sql: "SELECT path_text FROM root").map(TextFolding.fold)
    attributeNames = Set(try String.fetchAll(db, sql: "SELECT DISTINCT name FROM attribute"))
    fileCount = try Int.fetchOne(db, sql: "SELECT max(id) FROM file") ?? 0
  }
}
