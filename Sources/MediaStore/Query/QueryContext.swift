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

  /// From each name to the next one by the index: a million rows have a few of them.
  private static let distinctNames = """
    WITH RECURSIVE known (name) AS (
      SELECT min(name) FROM attribute
      UNION ALL
      SELECT (SELECT min(name) FROM attribute WHERE name > known.name) FROM known WHERE known.name IS NOT NULL)
    SELECT name FROM known WHERE name IS NOT NULL
    """

  init(_ db: Database) throws {
    roots = try String.fetchAll(db, sql: "SELECT path_text FROM root").map(TextFolding.fold)
    attributeNames = Set(try String.fetchAll(db, sql: Self.distinctNames))
    fileCount = try Int.fetchOne(db, sql: "SELECT max(id) FROM file") ?? 0
  }
}
