internal import Base
internal import LibraryDatabase
internal import MediaModel
package import MediaStore

/// What people say about tracks, albums and artists through clients of the server: stars and ratings. Both are attributes;
/// a star is the time at which it was given, in ISO 8601.
package enum Opinion: String, Sendable {
  case starred, rating
}

/// An attribute of an album or artist.
package struct GroupAttribute: Hashable, Sendable {
  package var group: TrackGroup
  package var name: String
  package var value: String
}

extension Attributes {
  /// Sets an opinion of a person about recordings, albums and artists in one change, or removes it; it is on the disk when
  /// this returns.
  ///
  /// - Parameters:
  ///   - value: of a rating 0 to 100; nil to remove it.
  ///   - keeps: whether an older value stays, as that of a star does.
  /// - Throws: ``StoreError``.
  package func setOpinion(
    _ opinion: Opinion, to value: String?, ofRecordings ids: [Int64], groups: [TrackGroup], by personID: Int64,
    keepsOlder keeps: Bool = false
  ) throws(StoreError) {
    let value = try value.map { text throws(StoreError) in try Self.storedValue(text, of: opinion.rawValue) }
    let verb = value == nil ? "remove \(opinion.rawValue) of" : "set \(opinion.rawValue) for"
    try store.edit("\(verb) \(Self.text(ids, groups))") { editor in
      for id in ids {
        guard let hash = try RecordingKeys.hash(of: id, editor.db) else { continue }
        if keeps, try AttributeRow.fetch(opinion.rawValue, of: hash, by: personID, editor.db) != nil { continue }
        _ = try editor.setAttribute(opinion.rawValue, to: value, of: hash, by: personID)
      }
      for group in groups {
        let row = GroupAttributeRow(group: group, name: opinion.rawValue, personID: personID, value: value ?? "")
        let before = try row.stored(editor.db)
        if let value {
          if before?.value != value, !keeps || before == nil { try editor.put(row, insteadOf: before) }
        } else if let before {
          try editor.remove(before)
        }
      }
    }
  }

  /// `1 track and 2 albums`, without what there is none of.
  private static func text(_ ids: [Int64], _ groups: [TrackGroup]) -> String {
    let albumCount = groups.count { if case .album = $0 { true } else { false } }
    let counts = [(ids.count, "track"), (albumCount, "album"), (groups.count - albumCount, "artist")]
    return counts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " and ")
  }

  /// Sets what a client remembers about a recording, which is no decision: it is not in the journal.
  package func remember(_ name: String, _ value: String?, ofRecording id: Int64, by personID: Int64) throws(StoreError)
  {
    try store.write(.durable) { db in
      guard let hash = try RecordingKeys.hash(of: id, db) else { return }
      var editor = JournalEditor(db, now: store.now, summary: nil)
      _ = try editor.setAttribute(name, to: value, of: hash, by: personID)
    }
  }

  /// What a person says about albums and artists.
  package func ofGroups(by personID: Int64) throws(StoreError) -> [GroupAttribute] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql:
          "SELECT \(GroupAttributeRow.columns) FROM group_attribute WHERE person_id = ? ORDER BY scope, artist, album",
        arguments: [personID]
      ).map {
        let row = try GroupAttributeRow(row: $0)
        return GroupAttribute(group: row.group, name: row.name, value: row.value)
      }
    }
  }

  /// The recordings about which a person says something, with the first 100 characters of what is said, found through `attribute_by_name`.
  package func recordings(
    with name: String, of personID: Int64
  ) throws(StoreError) -> [(recordingID: Int64, value: String)] {
    try store.read { db in
      var found: [(recordingID: Int64, value: String)] = []
      let rows = try Row.fetchCursor(
        db,
        sql: "SELECT audio_id, substr(value, 1, 100) FROM attribute WHERE person_id = ? AND name = ? ORDER BY audio_id",
        arguments: [personID, name])
      while let row = try rows.next() { found.append(try (row[0], row[1])) }
      return found
    }
  }
}
