internal import Foundation
internal import LibraryDatabase
internal import MediaModel

/// Albums that became part of others, by their files: when the two part, each group of files gets its own row back, whatever its tags
/// say by then.
struct FormerAlbums {
  struct Former {
    var names: AlbumNames
    var fileIDs: Set<Int64>
  }

  private let db: Database
  /// Whether the library has what this reads: one of an older schema is repaired before it is migrated.
  private let isKept: Bool
  /// Those that became part of an album, the first time that was asked: files leave albums meanwhile.
  private var formers: [Int64: [Former]] = [:]
  private var claimed: [Int64: Set<Int64>] = [:]

  init(_ db: Database) throws {
    self.db = db
    isKept = try db.tableExists("former_album") && db.columns(in: "former_album").contains { $0.name == "moved" }
  }

  /// The files of an album that were those of others before; none if it has no other files left.
  mutating func claims(onAlbum album: Int64) throws -> Set<Int64> {
    if let known = claimed[album] { return known }
    var ids = try formers(ofAlbum: album).reduce(into: Set<Int64>()) { $0.formUnion($1.fileIDs) }
    if !ids.isEmpty {
      let hasOthers = try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM file
                            WHERE album_id = ? AND missing_since IS NULL AND id NOT IN (SELECT value FROM json_each(?)))
            """), arguments: [album, Self.list(ids)])
      if hasOthers != true { ids = [] }
    }
    claimed[album] = ids
    return ids
  }

  /// What a group of files was an album before, as part of the albums on which its files are now: most files of the one are files of
  /// the other.
  mutating func former(of files: [Int64], onAlbums albums: Set<Int64>) throws -> AlbumNames? {
    let group = Set(files)
    var best: (score: Int, names: AlbumNames)?
    for album in albums.sorted() where try !claims(onAlbum: album).isEmpty {
      for former in try formers(ofAlbum: album) {
        let common = former.fileIDs.intersection(group).count
        guard common * 2 >= former.fileIDs.count, common * 2 > min(group.count, former.fileIDs.count),
          try !isTaken(former.names)
        else { continue }
        let score = 2 * common - former.fileIDs.count
        if best.map({ score > $0.score }) ?? true { best = (score, former.names) }
      }
    }
    return best?.names
  }

  private mutating func formers(ofAlbum album: Int64) throws -> [Former] {
    guard isKept else { return [] }
    if let known = formers[album] { return known }
    let texts = try String.fetchAll(
      db.cachedStatement(sql: "SELECT moved FROM former_album WHERE album_id = ? AND moved IS NOT NULL ORDER BY key"),
      arguments: [album])
    let found = try texts.compactMap { text -> Former? in
      guard let moved = MovedDecisions(text: text), let names = moved.names else { return nil }
      let ids = try fileIDs(moved)
      return ids.isEmpty ? nil : Former(names: names, fileIDs: ids)
    }
    formers[album] = found
    return found
  }

  /// Those of its files that are there.
  private func fileIDs(_ moved: MovedDecisions) throws -> Set<Int64> {
    let statement = try db.cachedStatement(sql: "SELECT id FROM file WHERE key = ? AND missing_since IS NULL")
    return Set(try moved.fileKeys.compactMap { try Int64.fetchOne(statement, arguments: [$0]) })
  }

  private func isTaken(_ names: AlbumNames) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM album WHERE key = ?)"), arguments: [AlbumKey.key(names)])
      == true
  }

  static func list(_ ids: some Collection<Int64>) -> String { "[\(ids.map(String.init).joined(separator: ","))]" }
}
