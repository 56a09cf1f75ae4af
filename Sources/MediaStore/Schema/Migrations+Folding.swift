internal import LibraryDatabase

extension Migrations {
  /// 9: what searches see, folded by the rules of ``TextFolding`` that hold from then on.
  ///
  /// Folding what was folded by the earlier rules gives the same as folding the tags. A trigger renews the index.
  @Sendable static func renewFoldedTexts(_ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE file SET search_text = fold(search_text), search_more = fold(search_more)
         WHERE search_text <> fold(search_text) OR search_more <> fold(search_more)
        """)
  }
}
