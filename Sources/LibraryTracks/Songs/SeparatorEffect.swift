internal import LibraryDatabase
package import MediaModel
package import MediaStore

/// What separators of artists do to the files of a library.
package struct SeparatorEffect: Hashable, Sendable {
  package struct Example: Hashable, Sendable {
    package var text: String
    package var names: [String]
  }

  /// Present files with a text that becomes several names.
  package var fileCount = 0
  /// The texts of most files, the most frequent first.
  package var examples: [Example] = []
}

extension Songs {
  /// - Complexity: O(different texts of artists).
  package func effect(of separators: [String], exampleCount: Int = 5) throws(StoreError) -> SeparatorEffect {
    guard !separators.isEmpty else { return SeparatorEffect() }
    return try store.read { db in
      var effect = SeparatorEffect()
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT artist, count(*) AS count FROM file
           WHERE missing_since IS NULL AND artist IS NOT NULL GROUP BY artist ORDER BY count DESC, artist
          """)
      while let row = try rows.next() {
        let text: String = try row[0]
        let names = ArtistCredit.names(artists: [], artist: [text], idCount: 0, separators: separators)
        guard names.count > 1 else { continue }
        effect.fileCount += try row[1]
        if effect.examples.count < exampleCount {
          effect.examples.append(SeparatorEffect.Example(text: text, names: names))
        }
      }
      return effect
    }
  }
}
