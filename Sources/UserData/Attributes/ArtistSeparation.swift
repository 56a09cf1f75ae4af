internal import LibraryDatabase
internal import MediaModel
package import MediaStore

/// What separates the names of artists in one value of a tag, as the owner of the library listed it.
extension Attributes {
  /// Empty unless some were listed.
  package func artistSeparators() throws(StoreError) -> [String] {
    try store.read { try StoredSeparators.all($0) }
  }

  /// Replaces the list in one change; the albums of files whose artist has one of these texts are looked for again before this
  /// returns.
  ///
  /// - Parameter separators: Each without a ``ArtistSeparators/fault(in:)``; empty for none.
  /// - Throws: ``StoreError/invalidAttribute(reason:)``.
  package func setArtistSeparators(_ separators: [String]) throws(StoreError) {
    if let fault = separators.lazy.compactMap(ArtistSeparators.fault).first { throw .invalidAttribute(reason: fault) }
    guard separators.count <= ArtistSeparators.largestCount else {
      throw .invalidAttribute(reason: "there are at most \(ArtistSeparators.largestCount) separators")
    }
    let shown = separators.map { "'\($0)'" }.joined(separator: " ")
    try store.edit(separators.isEmpty ? "separate artists by nothing" : "separate artists by \(shown)") { editor in
      let row = GroupAttributeRow(
        group: .artist(""), name: StoredSeparators.attribute, value: ArtistSeparators.text(separators))
      let before = try row.stored(editor.db)
      if separators.isEmpty {
        if let before { try editor.remove(before) }
      } else if before?.value != row.value {
        try editor.put(row, insteadOf: before)
      }
    }
  }
}
