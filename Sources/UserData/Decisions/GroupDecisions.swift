package import LibraryDatabase

/// What people decided about albums and artists, each of them once.
package enum GroupDecisions {
  /// Identifies it among the groups of its kind.
  package struct Key: Hashable {
    var scope: String
    var artist: String
    var album: String
    var name: String
    var personID: Int64
  }

  package static func exist(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))") == true
  }

  package static func all(_ db: Database) throws -> Set<Key> {
    let rows = try Row.fetchCursor(db, sql: sql)
    var keys: Set<Key> = []
    while let row = try rows.next() {
      keys.insert(try Key(scope: row[0], artist: row[1], album: row[2], name: row[3], personID: row[4]))
    }
    return keys
  }

  /// How many have come to other albums and artists since; of two that became one, one.
  package static func movedCount(since before: Set<Key>, _ db: Database) throws -> Int {
    let after = try all(db)
    return max(before.subtracting(after).count, after.subtracting(before).count)
  }

  private static let sql = """
    SELECT scope, artist, album, name, person_id FROM group_attribute WHERE artist <> '' OR album <> ''
    UNION ALL
    SELECT scope, artist, album, 'preset of ' || scope, person_id FROM preset_assignment WHERE scope IN ('album', 'artist')
    """
}
