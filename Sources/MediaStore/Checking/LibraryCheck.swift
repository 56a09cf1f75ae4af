/// What a check of a library found.
package struct LibraryCheck: Hashable, Sendable {
  /// SQLite's own findings, at most a hundred, and sums that are wrong; empty for a sound file.
  package var integrityProblems: [String]
  /// Rows that point to a row that is not there, as `table: count`.
  package var danglingReferences: [String]
  /// Tables, indexes and triggers that are not those of this version.
  package var schemaDifferences: [String] = []
  /// Rows in a state that nothing writes, as `what: count`.
  package var impossibleRows: [String] = []
  /// Presets, assignments and changes of them that contradict each other or are no JSON.
  package var journalProblems: [String] = []
  /// Files that the search index does not know as they are, counted in groups; nil where that was not looked at.
  package var searchProblemCount: Int?
  /// Recordings that no file holds; kept on purpose, also by `prune` where a list or an attribute needs them.
  package var orphanCount: Int
  package var artworkWithoutFileCount: Int
  package var productsWithoutBytesCount: Int
  /// Products that another version made.
  package var staleProductCount: Int
  /// Products whose bytes are not what was written; nil where that was not looked at.
  package var damagedProductCount: Int?
  /// What is no damage, but good to know: presets of a newer version, what killed processes left beside the library.
  package var remarks: [String] = []

  /// Whether nothing is wrong; orphans, stale products and remarks are not.
  package var isSound: Bool { !needsRepair && !needsReanalysis }

  /// Whether something is wrong that a new file mends.
  package var needsRepair: Bool {
    !(integrityProblems.isEmpty && danglingReferences.isEmpty && schemaDifferences.isEmpty && impossibleRows.isEmpty
      && journalProblems.isEmpty && (searchProblemCount ?? 0) == 0 && artworkWithoutFileCount == 0)
  }

  /// Whether products are damaged, which are made anew where they are, as long as there is a file with their sound.
  package var needsReanalysis: Bool { productsWithoutBytesCount > 0 || (damagedProductCount ?? 0) > 0 }
}
