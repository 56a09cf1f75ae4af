internal import GRDB

extension MediaStore {
  /// The run with this task that was not finished, if there is one.
  package func forcedRun(_ task: ForcedRun.Task) throws(StoreError) -> ForcedRun? {
    try read { try Self.forcedRun(task, $0) }
  }

  /// The same, or a new one.
  ///
  /// - Parameter restarts: Whether what one that was stopped has done counts for nothing.
  package func beginForcedRun(_ task: ForcedRun.Task, restarts: Bool) throws(StoreError) -> ForcedRun {
    try write(.batch) { db in
      if let run = try Self.forcedRun(task, db) {
        if !restarts { return run }
        try db.execute(sql: "DELETE FROM forced_run WHERE id = ?", arguments: [run.id])
      }
      let startedAt = now
      try db.execute(
        sql: "INSERT INTO forced_run (recipes, query, started_at) VALUES (?, ?, ?)",
        arguments: [task.recipes, task.query, startedAt])
      return ForcedRun(id: db.lastInsertedRowID, startedAt: startedAt, doneIDs: [])
    }
  }

  /// Forgets a run that is complete.
  package func endForcedRun(_ run: ForcedRun) throws(StoreError) {
    try write(.batch) { try $0.execute(sql: "DELETE FROM forced_run WHERE id = ?", arguments: [run.id]) }
  }

  private static func forcedRun(_ task: ForcedRun.Task, _ db: Database) throws -> ForcedRun? {
    let row = try Row.fetchOne(
      db, sql: "SELECT id, started_at FROM forced_run WHERE recipes = ? AND query = ?",
      arguments: [task.recipes, task.query])
    guard let row else { return nil }
    let id: Int64 = try row[0]
    let done = try Int64.fetchAll(db, sql: "SELECT audio_id FROM forced_recording WHERE run_id = ?", arguments: [id])
    return try ForcedRun(id: id, startedAt: row[1], doneIDs: Set(done))
  }
}
