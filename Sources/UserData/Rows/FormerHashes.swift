internal import Foundation
package import LibraryDatabase
package import MediaModel

/// The table of hashes that recordings had before.
package enum FormerHashes {
  /// What a hash is called now: first the recording that took it over, then those that shared it.
  ///
  /// - Parameter onlyKeys: whether to leave out what no recording of this library was stored under.
  package static func current(of former: ContentHash, onlyKeys: Bool = false, _ db: Database) throws -> [ContentHash] {
    try Data.fetchAll(
      db.cachedStatement(
        sql: "SELECT current FROM former_hash WHERE hash = ? AND is_key >= ? ORDER BY is_key DESC, id"),
      arguments: [Data(former.bytes), onlyKeys ? 1 : 0]
    ).compactMap { ContentHash(bytes: $0) }
  }

  /// The hash that a recording of the library has now, by one that it has or had; nil if its row is not there.
  package static func recording(_ hash: ContentHash, _ db: Database) throws -> ContentHash? {
    try ([hash] + current(of: hash, db)).first { hash in
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM audio WHERE hash = ?)"), arguments: [Data(hash.bytes)])
        ?? false
    }
  }

  /// What each former hash is called now, by the recording that took it over.
  package static func all(_ db: Database) throws -> [ContentHash: ContentHash] {
    var hashes: [ContentHash: ContentHash] = [:]
    // Older schemas do not have the table.
    guard try db.tableExists("former_hash") else { return hashes }
    let rows = try Row.fetchCursor(db, sql: "SELECT hash, current FROM former_hash ORDER BY is_key, id DESC")
    while let row = try rows.next() {
      guard let former = ContentHash(bytes: try row[0] as Data), let current = ContentHash(bytes: try row[1] as Data)
      else { continue }
      hashes[former] = current
    }
    return hashes
  }

  /// Makes a former hash lead to a recording, for ever.
  ///
  /// - Parameter isKey: whether a recording of this library was stored under it.
  package static func remember(
    _ former: ContentHash, as current: ContentHash, isKey: Bool = true, _ db: Database
  ) throws {
    let hashes: StatementArguments = ["former": Data(former.bytes), "current": Data(current.bytes)]
    try run(
      """
      INSERT INTO former_hash (hash, current, is_key) VALUES (:former, :current, :key)
      ON CONFLICT (hash, current) DO UPDATE SET is_key = 1 WHERE excluded.is_key > is_key
      """, hashes + ["key": isKey], db)
    guard isKey else { return }
    // What led to the former hash leads to the current one.
    try run("UPDATE OR IGNORE former_hash SET current = :current WHERE current = :former", hashes, db)
    try run("DELETE FROM former_hash WHERE current = :former", hashes, db)
  }

  private static func run(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

/// Recordings by the hash that they have now.
package enum RecordingKeys {
  package static func id(of hash: ContentHash, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM audio WHERE hash = ?"), arguments: [Data(hash.bytes)])
  }

  package static func hash(of id: Int64, _ db: Database) throws -> ContentHash? {
    try Data.fetchOne(db.cachedStatement(sql: "SELECT hash FROM audio WHERE id = ?"), arguments: [id])
      .flatMap { ContentHash(bytes: $0) }
  }
}
