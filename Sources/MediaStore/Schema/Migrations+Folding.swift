internal import Base
internal import LibraryDatabase

extension Migrations {
  /// 9: what searches see, folded by the rules of ``TextFolding`` that hold from then on.
  ///
  /// Folding what was folded by the earlier rules gives the same as folding the tags. A trigger renews the index.
  @Sendable static func renewFoldedTexts(_ db: Database) throws {
    let update = try db.makeStatement(sql: "UPDATE file SET search_text = ?, search_more = ? WHERE id = ?")
    let texts = try db.makeStatement(sql: "SELECT search_text, search_more FROM file WHERE id = ?")
    // The ids are read first: rows must not be changed while they are read.
    for id in try Int64.fetchAll(db, sql: "SELECT id FROM file") {
      guard let row = try Row.fetchOne(texts, arguments: [id]) else { continue }
      let stored: [String] = try [row[0], row[1]]
      let folded = stored.map(TextFolding.fold)
      // By bytes: to Swift, characters and their canonical forms are equal.
      guard !zip(stored, folded).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }) else { continue }
      try update.execute(arguments: [folded[0], folded[1], id])
    }
  }
}
