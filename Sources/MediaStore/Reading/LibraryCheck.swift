/// What a check of a library found.
package struct LibraryCheck: Hashable, Sendable {
  /// SQLite's own findings, at most a hundred; empty for a sound file.
  package var integrityProblems: [String]
  /// Rows that point to a row that is not there, as `table: count`.
  package var danglingReferences: [String]
  /// Recordings that no file holds; kept on purpose until `prune`.
  package var orphanCount: Int
  package var artworkWithoutFileCount: Int
  package var productsWithoutBytesCount: Int
  /// Products that another version made.
  package var staleProductCount: Int
  /// Products whose bytes are not what was written; nil where that was not looked at.
  package var damagedProductCount: Int?

  /// Whether nothing is wrong; orphans and stale products are not.
  package var isSound: Bool {
    integrityProblems.isEmpty && danglingReferences.isEmpty && artworkWithoutFileCount == 0
      && productsWithoutBytesCount == 0 && (damagedProductCount ?? 0) == 0
  }
}
