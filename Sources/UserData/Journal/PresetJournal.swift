internal import Base
package import LibraryDatabase
package import MediaModel
internal import MediaStore

/// The presets and assignments that the journal implies: as the last change of each that was not undone left it.
///
/// Lists and attributes are not compared with the journal: scans let them follow their recordings without a change.
package struct PresetJournal {
  /// nil for a deleted preset.
  package private(set) var presets: [Int64: PresetRow?] = [:]
  package private(set) var assignments: [AssignmentKey: AssignmentRow?] = [:]
  /// The changes with unreadable rows, with the number of such rows.
  package private(set) var damaged: [Int64: Int] = [:]

  package init(_ db: Database) throws {
    guard let change = try UserTable.change.name(in: db), let changeRow = try UserTable.changeRow.name(in: db)
    else { return }
    // A change names a recording by the hash that it had then.
    let former = try FormerHashes.all(db)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT table_name, before, after, change_id FROM \(changeRow) JOIN \(change) ON id = change_id
         WHERE undone_at IS NULL ORDER BY change_id, position
        """)
    while let row = try rows.next() {
      let (before, after): (JSONValue?, JSONValue?)
      do { (before, after) = (try Self.json(row[1]), try Self.json(row[2])) } catch {
        try damaged[row[3], default: 0] += 1
        continue
      }
      switch try UserTable(rawValue: row[0]) {
      case .preset:
        let made = after.flatMap(PresetRow.init(json:))
        guard let any = made ?? before.flatMap(PresetRow.init(json:)), (made == nil) == (after == nil) else {
          try damaged[row[3], default: 0] += 1
          continue
        }
        presets[any.id] = .some(made)
      case .presetAssignment:
        let made = after.flatMap(AssignmentRow.init(json:))
        guard let any = made ?? before.flatMap(AssignmentRow.init(json:)), (made == nil) == (after == nil) else {
          try damaged[row[3], default: 0] += 1
          continue
        }
        let subject = try any.subject.named(by: former).current(db)
        assignments[any.with(subject).key.withoutLabel] = .some(made.map { $0.with(subject) })
      case .list: try check(SavedListRow.self, before, after, row[3])
      case .listEntry: try check(ListEntryRow.self, before, after, row[3])
      case .attribute: try check(AttributeRow.self, before, after, row[3])
      case .groupAttribute: try check(GroupAttributeRow.self, before, after, row[3])
      case .albumChoice: try check(AlbumChoiceRow.self, before, after, row[3])
      case .correction: try check(CorrectionRow.self, before, after, row[3])
      default: try damaged[row[3], default: 0] += 1
      }
    }
  }

  /// Whether a row can be read if it is undone.
  private mutating func check<Row: JournalledRow>(
    _ type: Row.Type, _ before: JSONValue?, _ after: JSONValue?, _ change: Int64
  ) {
    let values = [before, after].compactMap { $0 }
    guard values.isEmpty || values.contains(where: { Row(json: $0) == nil }) else { return }
    damaged[change, default: 0] += 1
  }

  private static func json(_ text: String?) throws -> JSONValue? {
    try text.map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// Compares the journal with the stored rows.
  package func problems(_ db: Database) throws -> [String] {
    let damagedCount = damaged.values.reduce(0, +)
    var problems = damagedCount == 0 ? [] : ["changes that cannot be read: \(damagedCount)"]
    let half =
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM (SELECT id FROM change LEFT JOIN change_row ON change_id = id
                                 GROUP BY id HAVING count(change_id) = 0 OR max(position) + 1 <> count(change_id))
          """) ?? 0
    if half > 0 { problems.append("changes that are incomplete: \(half)") }
    for (id, expected) in presets.sorted(by: { $0.key < $1.key }) {
      let found = try Row.fetchOne(
        db, sql: "SELECT \(PresetRow.columns), name_key FROM preset WHERE id = ?", arguments: [id])
      guard let found, let expected else {
        if (found == nil) != (expected == nil) {
          problems.append("preset \(expected?.name ?? "\(id)"): \(found == nil ? "is lost" : "was deleted")")
        }
        continue
      }
      guard try PresetRow(row: found) == expected, try found["name_key"] == PresetRow.key(expected.name) else {
        problems.append("preset \(expected.name): is not what was written last")
        continue
      }
    }
    for (key, expected) in assignments where try AssignmentRow.fetch(key, db) != expected {
      problems.append("the assignment of \(expected?.subject ?? key.subject) is not what was written last")
    }
    return problems
  }
}

extension AssignmentRow {
  package func with(_ subject: PresetSubject) -> AssignmentRow {
    var row = self
    row.subject = subject
    return row
  }
}

extension PresetSubject {
  /// The subject with the names by which its album is known now.
  func current(_ db: Database) throws -> PresetSubject {
    guard case .album(let title, let artist) = self else { return self }
    let names = try AlbumDecisions.current(AlbumNames(artist: artist, title: title), db)
    return .album(names.title, artist: names.artist)
  }

  /// The subject with the hash that its recording has now.
  package func named(by current: [ContentHash: ContentHash]) -> PresetSubject {
    guard let hash = recording.flatMap({ current[$0] }) else { return self }
    return with(recording: hash)
  }
}

extension AssignmentKey {
  /// The key without what people call its subject.
  package var withoutLabel: AssignmentKey { AssignmentKey(subject: subject.with(label: ""), personID: personID) }
}
