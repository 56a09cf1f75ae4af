internal import Base
internal import GRDB
internal import MediaModel

/// The rows that the journal of presets implies: as the last change of each that was not undone left it.
struct PresetJournal {
  /// nil for a deleted preset.
  private(set) var presets: [Int64: PresetRow?] = [:]
  private(set) var assignments: [PresetSubject: AssignmentRow?] = [:]
  /// The changes with unreadable rows, with the number of such rows.
  private(set) var damaged: [Int64: Int] = [:]

  init(_ db: Database) throws {
    // A change names a recording by the hash that it had then.
    let former = try FormerHashes.all(db)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT table_name, before, after, change_id FROM preset_change_row JOIN preset_change ON id = change_id
         WHERE undone_at IS NULL ORDER BY change_id, position
        """)
    while let row = try rows.next() {
      let (before, after): (JSONValue?, JSONValue?)
      do { (before, after) = (try Self.json(row[1]), try Self.json(row[2])) } catch {
        try damaged[row[3], default: 0] += 1
        continue
      }
      if try row[0] == "preset" {
        let made = after.flatMap(PresetRow.init(json:))
        guard let any = made ?? before.flatMap(PresetRow.init(json:)), (made == nil) == (after == nil) else {
          try damaged[row[3], default: 0] += 1
          continue
        }
        presets[any.id] = .some(made)
      } else {
        let made = after.flatMap(AssignmentRow.init(json:))
        guard let any = made ?? before.flatMap(AssignmentRow.init(json:)), (made == nil) == (after == nil) else {
          try damaged[row[3], default: 0] += 1
          continue
        }
        let subject = any.subject.named(by: former)
        assignments[subject.withoutLabel] = .some(made.map { $0.with(subject) })
      }
    }
  }

  private static func json(_ text: String?) throws -> JSONValue? {
    try text.map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// Compares the journal with the stored rows.
  func problems(_ db: Database) throws -> [String] {
    let damagedCount = damaged.values.reduce(0, +)
    var problems = damagedCount == 0 ? [] : ["changes of presets that cannot be read: \(damagedCount)"]
    let half =
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM (SELECT id FROM preset_change LEFT JOIN preset_change_row ON change_id = id
                                 GROUP BY id HAVING count(change_id) = 0 OR max(position) + 1 <> count(change_id))
          """) ?? 0
    if half > 0 { problems.append("changes of presets of which a part is lost: \(half)") }
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
    for (subject, expected) in assignments where try AssignmentRow.fetch(subject, db) != expected {
      problems.append("the assignment of \(expected?.subject ?? subject) is not what was written last")
    }
    return problems
  }
}

extension AssignmentRow {
  func with(_ subject: PresetSubject) -> AssignmentRow {
    var row = self
    row.subject = subject
    return row
  }
}

extension PresetSubject {
  /// The subject with the hash that its recording has now.
  func named(by current: [ContentHash: ContentHash]) -> PresetSubject {
    guard case .track(let hash, let label) = self, let hash = current[hash] else { return self }
    return .track(hash, label: label)
  }

  /// The subject without its label.
  var withoutLabel: PresetSubject {
    if case .track(let hash, _) = self { .track(hash, label: "") } else { self }
  }
}
