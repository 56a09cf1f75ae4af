internal import Foundation
internal import GRDB
internal import MediaModel

/// The table of hashes that recordings had before.
enum FormerHashes {
  /// What a hash is called now: first the recording that took it over, then those that shared it.
  ///
  /// - Parameter onlyKeys: whether to leave out what no recording of this library was stored under.
  static func current(of former: ContentHash, onlyKeys: Bool = false, _ db: Database) throws -> [ContentHash] {
    try Data.fetchAll(
      db.cachedStatement(
        sql: "SELECT current FROM former_hash WHERE hash = ? AND is_key >= ? ORDER BY is_key DESC, id"),
      arguments: [Data(former.bytes), onlyKeys ? 1 : 0]
    ).compactMap { ContentHash(bytes: $0) }
  }

  /// The hash that a recording of the library has now, by one that it has or had; nil if its row is not there.
  static func recording(_ hash: ContentHash, _ db: Database) throws -> ContentHash? {
    try ([hash] + current(of: hash, db)).first { hash in
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM audio WHERE hash = ?)"), arguments: [Data(hash.bytes)])
        ?? false
    }
  }

  /// What each former hash is called now, by the recording that took it over.
  static func all(_ db: Database) throws -> [ContentHash: ContentHash] {
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
}
