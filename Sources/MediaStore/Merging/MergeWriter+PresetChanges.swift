internal import GRDB
internal import MediaModel

extension MergeWriter {
  /// A row of a change, to compare it with one of another library.
  private struct ChangedRow: Equatable {
    var table: String
    var before: JSONValue?
    var after: JSONValue?

    init(_ row: Row) throws {
      table = try row["table_name"]
      before = try Self.value(row["before"])
      after = try Self.value(row["after"])
    }

    /// Without the ids, which are of one library only.
    private static func value(_ text: String?) throws -> JSONValue? {
      guard let text else { return nil }
      guard case .object(let members) = try JSONValue(parsing: Array(text.utf8)) else { return .string(text) }
      return .object(members.filter { $0.key != "id" && $0.key != "preset_id" })
    }
  }

  /// What a change is looked up by: no index has it.
  private struct ChangeKey: Hashable {
    var madeAt: Int64
    var summary: String
  }

  private static let rowsOfChange = """
    SELECT position, table_name, before, after FROM preset_change_row WHERE change_id = ? ORDER BY position
    """

  /// Adds the other library's journal as it is, but as undone: it says what was done there, and undoing that here would
  /// change what was never done here.
  func mergePresetChanges() throws {
    var own = try ownChanges()
    for change in try rows.all("SELECT id, summary, made_at, undone_at FROM preset_change ORDER BY id") {
      let changed = try rows.all(Self.rowsOfChange, [change[0] as Int64])
      let key = try ChangeKey(madeAt: change[2], summary: change[1])
      if let index = try index(of: changed.map(ChangedRow.init), among: own[key] ?? []) {
        // Each is one of theirs, not of two.
        own[key]?.remove(at: index)
        progress.report.presetChanges.same += 1
        continue
      }
      try run(
        "INSERT INTO preset_change (summary, made_at, undone_at) VALUES (?, ?, ?)",
        [key.summary, key.madeAt, change[3] as Int64? ?? now])
      let id = db.lastInsertedRowID
      for row in changed {
        try run(
          "INSERT INTO preset_change_row (change_id, position, table_name, before, after) VALUES (?, ?, ?, ?, ?)",
          [id, row[0] as Int, row[1] as String, row[2] as String?, row[3] as String?])
      }
      progress.report.presetChanges.added += 1
    }
  }

  /// The ids of this library's changes, in order.
  private func ownChanges() throws -> [ChangeKey: [Int64]] {
    var ids: [ChangeKey: [Int64]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT id, made_at, summary FROM preset_change ORDER BY id")
    while let row = try rows.next() {
      try ids[ChangeKey(madeAt: row[1], summary: row[2]), default: []].append(row[0])
    }
    return ids
  }

  /// Which of some changes did the same.
  private func index(of changed: [ChangedRow], among ids: [Int64]) throws -> Int? {
    try ids.firstIndex { id in
      let own = try Row.fetchAll(db.cachedStatement(sql: Self.rowsOfChange), arguments: [id])
      return try own.map(ChangedRow.init) == changed
    }
  }
}
