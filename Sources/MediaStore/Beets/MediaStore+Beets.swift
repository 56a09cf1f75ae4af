internal import GRDB
package import MediaModel

extension MediaStore {
  /// What came of an import.
  package struct BeetsImport: Hashable, Sendable {
    package var itemCount = 0
    package var foundCount = 0
    package var attributeCount = 0
    package var addedDateCount = 0
    /// Items that are not in the library.
    package var missing: [BeetsLibrary.Item] = []
  }

  /// Takes over attributes and dates of beets' items, found by their paths.
  ///
  /// - Parameters:
  ///   - folder: where beets keeps its music; what relative paths start from.
  ///   - isDryRun: whether to count only.
  package func importBeets(
    _ beets: BeetsLibrary, folder: BytePath?, isDryRun: Bool = false
  ) throws(StoreError) -> BeetsImport {
    let links = try links(
      of: beets.items.map { item in
        let isAbsolute = item.path.bytes.first == 0x2F
        return TrackDescription(
          paths: [isAbsolute ? item.path : folder?.appending(item.path) ?? item.path],
          durationInSeconds: item.durationInSeconds)
      })
    var result = BeetsImport(itemCount: beets.items.count)
    var found: [(Int64, BeetsLibrary.Item)] = []
    for (item, link) in zip(beets.items, links) {
      guard let link else {
        result.missing.append(item)
        continue
      }
      found.append((link.recordingID, item))
      result.attributeCount += item.attributes.count
    }
    result.foundCount = found.count
    if isDryRun {
      result.addedDateCount = try read { db in
        try found.count { id, item in
          try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE audio_id = ? AND added_at > ?)"),
            arguments: [id, item.addedAt]) == true
        }
      }
      return result
    }
    result.addedDateCount = try write(.durable) { db in
      var dateCount = 0
      for (id, item) in found {
        for (name, value) in item.attributes {
          // A sound may have been forgotten since it was found.
          try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO attribute (audio_id, name, value) SELECT id, ?, ? FROM audio WHERE id = ?"
          ).execute(arguments: [Self.attributeName(name), value, id])
        }
        guard let added = item.addedAt else { continue }
        // Not later than what is known: beets may have found the file after us.
        let arguments: StatementArguments = ["added": added, "id": id]
        // The sound's date outlives its files.
        try db.cachedStatement(sql: "UPDATE audio SET added_at = :added WHERE id = :id AND added_at > :added")
          .execute(arguments: arguments)
        try db.cachedStatement(sql: "UPDATE file SET added_at = :added WHERE audio_id = :id AND added_at > :added")
          .execute(arguments: arguments)
        dateCount += db.changesCount > 0 ? 1 : 0
      }
      return dateCount
    }
    return result
  }

  /// In lower case; a name that is a field already gets a prefix.
  private static func attributeName(_ name: String) -> String {
    let lower = name.lowercased()
    return LibraryField.named(lower) == nil ? lower : "beets_" + lower
  }
}
