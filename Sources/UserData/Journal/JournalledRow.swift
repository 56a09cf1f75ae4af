package import Base
package import LibraryDatabase
internal import MediaModel
package import MediaStore

/// A row of what users decide, as its table and the journal have it.
package protocol JournalledRow: Equatable {
  static var table: UserTable { get }

  /// The row in the journal.
  var json: JSONValue { get }

  /// nil for values that `json` did not write.
  init?(json: JSONValue)

  /// Inserts the row, or replaces the one with its key.
  func save(_ db: Database) throws

  func delete(_ db: Database) throws

  /// The row with the hash that its recording has now; nil if what it is about is no longer in the library.
  func current(_ db: Database) throws -> Self?
}

extension PresetRow: JournalledRow {
  package static var table: UserTable { .preset }

  package func current(_ db: Database) -> PresetRow? { self }
}

extension AssignmentRow: JournalledRow {
  package static var table: UserTable { .presetAssignment }

  /// An assignment needs no recording.
  package func current(_ db: Database) throws -> AssignmentRow? {
    guard let hash = subject.recording else { return with(try subject.current(db)) }
    return with(subject.with(recording: try FormerHashes.current(of: hash, db).first))
  }
}

extension SavedListRow: JournalledRow {
  package static var table: UserTable { .list }

  package func current(_ db: Database) -> SavedListRow? { self }
}

extension ListEntryRow: JournalledRow {
  package static var table: UserTable { .listEntry }

  package func current(_ db: Database) throws -> ListEntryRow? {
    guard let hash = try FormerHashes.recording(recording, db) else { return nil }
    return ListEntryRow(listID: listID, position: position, recording: hash)
  }
}

extension AttributeRow: JournalledRow {
  package static var table: UserTable { .attribute }

  package func current(_ db: Database) throws -> AttributeRow? {
    guard let hash = try FormerHashes.recording(recording, db) else { return nil }
    return AttributeRow(personID: personID, recording: hash, name: name, value: value)
  }
}

extension JournalledRow {
  /// Whether what a change was about has become one with something else, whose own row is in its place.
  ///
  /// - Parameters:
  ///   - written: the row as the journal has it; this is what it is now.
  ///   - after: what the change made of it.
  func isOfAnother(_ written: Self, changedTo after: Self?, _ db: Database) throws -> Bool {
    guard let now = self as? GroupAttributeRow, let then = written as? GroupAttributeRow, now.group != then.group else {
      return false
    }
    return try now.stored(db)?.value != (after as? GroupAttributeRow)?.value
  }

  /// Whether the preset of an assignment still exists: the owner may have deleted it after somebody else's change.
  func hasPreset(_ db: Database) throws -> Bool {
    guard let id = (self as? AssignmentRow)?.presetID else { return true }
    return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM preset WHERE id = ?)", arguments: [id]) ?? false
  }
}

extension AlbumChoiceRow: JournalledRow {
  package static var table: UserTable { .albumChoice }

  package func current(_ db: Database) -> AlbumChoiceRow? { self }
}

extension CorrectionRow: JournalledRow {
  package static var table: UserTable { .correction }

  /// A correction needs no recording, and its file may come back.
  package func current(_ db: Database) throws -> CorrectionRow? {
    guard let hash = subject.recording, let current = try FormerHashes.current(of: hash, db).first else { return self }
    return with(CorrectionSubject(recording: current))
  }
}

extension GroupAttributeRow: JournalledRow {
  package static var table: UserTable { .groupAttribute }

  package func current(_ db: Database) throws -> GroupAttributeRow? {
    guard case .album(let title, let artist) = group else { return self }
    let names = try AlbumDecisions.current(AlbumNames(artist: artist, title: title), db)
    return GroupAttributeRow(
      group: .album(names.title, artist: names.artist), name: name, personID: personID, value: value)
  }
}
