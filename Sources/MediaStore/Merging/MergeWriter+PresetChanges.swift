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

  private static let rowsOfChange = """
    SELECT position, table_name, before, after FROM preset_change_row WHERE change_id = ? ORDER BY position
    """

  /// Adds the other library's journal as it is, but as undone: it says what was done there, and undoing that here would
  /// change what was never done here.
  func mergePresetChanges() throws {
    var met: Set<Int64> = []
    for change in try rows.all("SELECT id, summary, made_at, undone_at FROM preset_change ORDER BY id") {
      let changed = try rows.all(Self.rowsOfChange, [change[0] as Int64])
      let (summary, madeAt) = try (change[1] as String, change[2] as Int64)
      if let known = try find(summary, madeAt, try changed.map(ChangedRow.init), except: met) {
        met.insert(known)
        progress.report.presetChanges.same += 1
        continue
      }
      try run(
        "INSERT INTO preset_change (summary, made_at, undone_at) VALUES (?, ?, ?)",
        [summary, madeAt, change[3] as Int64? ?? now])
      let id = db.lastInsertedRowID
      met.insert(id)
      for row in changed {
        try run(
          "INSERT INTO preset_change_row (change_id, position, table_name, before, after) VALUES (?, ?, ?, ?, ?)",
          [id, row[0] as Int, row[1] as String, row[2] as String?, row[3] as String?])
      }
      progress.report.presetChanges.added += 1
    }
  }

  /// The same change in this library's journal.
  private func find(
    _ summary: String, _ madeAt: Int64, _ changed: [ChangedRow], except met: Set<Int64>
  ) throws -> Int64? {
    let candidates = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM preset_change WHERE made_at = ? AND summary = ? ORDER BY id"),
      arguments: [madeAt, summary])
    return try candidates.first { id in
      guard !met.contains(id) else { return false }
      let own = try Row.fetchAll(db.cachedStatement(sql: Self.rowsOfChange), arguments: [id])
      return try own.map(ChangedRow.init) == changed
    }
  }
}
