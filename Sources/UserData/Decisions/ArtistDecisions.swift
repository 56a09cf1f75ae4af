package import LibraryDatabase
internal import MediaModel
internal import MediaStore

/// Attributes and presets of artists, by the names that tags have.
package enum ArtistDecisions {
  /// By which decisions know an artist: the values of a tag as one text.
  package static func name(_ values: [String]) -> String { values.joined(separator: "; ") }

  /// The artists about whom something is decided.
  package static func names(_ db: Database) throws -> Set<String> {
    try Set(
      String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT artist FROM group_attribute WHERE scope = 'artist' AND artist <> ''
            UNION SELECT artist FROM preset_assignment WHERE scope = 'artist' AND hash = x''
            """)))
  }

  /// Gives what was decided about artists whom no tag names any more to what they are called now; what is decided there stays.
  package static func follow(_ renames: [String: String], _ editor: inout JournalEditor) throws {
    guard !renames.isEmpty else { return }
    let named = try NamedArtists(editor.db)
    for (former, name) in renames.sorted(by: { $0.key < $1.key }) where !named.contains(former, renamedTo: name) {
      let attributes = try Row.fetchAll(
        editor.db,
        sql: """
          SELECT \(GroupAttributeRow.columns) FROM group_attribute WHERE scope = 'artist' AND artist = ?
           ORDER BY name, person_id
          """, arguments: [former]
      ).map(GroupAttributeRow.init)
      for attribute in attributes {
        var moved = attribute
        moved.group = .artist(name)
        guard try moved.stored(editor.db) == nil else { continue }
        try editor.remove(attribute)
        try editor.put(moved, insteadOf: nil)
      }
      let presets = try Row.fetchAll(
        editor.db,
        sql: "SELECT * FROM preset_assignment WHERE scope = 'artist' AND hash = x'' AND artist = ? ORDER BY person_id",
        arguments: [former]
      ).compactMap(AssignmentRow.init)
      for preset in presets {
        let moved = preset.with(.artist(name))
        guard try AssignmentRow.fetch(moved.key, editor.db) == nil else { continue }
        try editor.remove(preset)
        try editor.put(moved, insteadOf: nil)
      }
    }
  }
}

/// The artists whom the tags of files that are there name.
private struct NamedArtists {
  private let names: Set<String>
  private let keys: Set<String>

  /// Nothing is indexed by that, so this reads all tags.
  init(_ db: Database) throws {
    let tags = ArtistRenames.tagNames.sorted()
    let values = try Set(
      String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT value FROM tag JOIN file ON file.id = file_id
           WHERE missing_since IS NULL AND name_id IN
             (SELECT id FROM tag_name WHERE name IN (\(tags.map { _ in "?" }.joined(separator: ", "))))
          UNION SELECT artist FROM file WHERE artist IS NOT NULL AND missing_since IS NULL
          UNION SELECT albumartist FROM file WHERE albumartist IS NOT NULL AND missing_since IS NULL
          """, arguments: StatementArguments(tags)))
    let separators = try StoredSeparators.all(db)
    names = separators.isEmpty ? values : values.union(values.flatMap { ArtistRenames.parts(of: [$0], separators) })
    keys = Set(names.map(NameKey.key))
  }

  /// Whether an artist is still called so, or another spelling of it; but a spelling does not hold another one.
  func contains(_ name: String, renamedTo other: String) -> Bool {
    let key = NameKey.key(name)
    return names.contains(name) || key != NameKey.key(other) && keys.contains(key)
  }
}
