internal import LibraryDatabase
package import MediaStore
internal import UserData

/// A reanalysis that recomputes existing products. It is stored until it is complete, so that it can be continued.
package struct ReanalysisCheckpoint: Hashable, Sendable {
  /// What is recomputed for which query; two runs with equal tasks are the same run.
  package struct Task: Hashable, Sendable {
    /// Each product with its version and parameters: another version of the program starts again.
    package var recipes: String
    package var query: String

    package init(recipes: String, query: String) {
      self.recipes = recipes
      self.query = query
    }
  }

  package var id: Int64
  /// Seconds since 1970.
  package var startedAt: Int64
  /// Ids of the finished recordings.
  package var doneIDs: Set<Int64>
}

extension Reanalyses {
  /// The unfinished run with this task, if there is one.
  package func checkpoint(of task: ReanalysisCheckpoint.Task) throws(StoreError) -> ReanalysisCheckpoint? {
    try store.read { try Self.checkpoint(task, $0) }
  }

  /// The unfinished run with this task, otherwise a new one.
  ///
  /// - Parameter restarts: whether to discard the progress of an unfinished run.
  package func beginCheckpoint(of task: ReanalysisCheckpoint.Task, restarts: Bool) throws(StoreError)
    -> ReanalysisCheckpoint
  {
    try store.write(.batch) { db in
      if let run = try Self.checkpoint(task, db) {
        if !restarts { return run }
        try db.execute(sql: "DELETE FROM forced_run WHERE id = ?", arguments: [run.id])
      }
      let startedAt = store.now
      try db.execute(
        sql: "INSERT INTO forced_run (recipes, query, started_at) VALUES (?, ?, ?)",
        arguments: [task.recipes, task.query, startedAt])
      return ReanalysisCheckpoint(id: db.lastInsertedRowID, startedAt: startedAt, doneIDs: [])
    }
  }

  /// Deletes a run that is complete.
  package func endCheckpoint(_ run: ReanalysisCheckpoint) throws(StoreError) {
    try store.write(.batch) { try $0.execute(sql: "DELETE FROM forced_run WHERE id = ?", arguments: [run.id]) }
  }

  private static func checkpoint(_ task: ReanalysisCheckpoint.Task, _ db: Database) throws
    -> ReanalysisCheckpoint?
  {
    let row = try Row.fetchOne(
      db, sql: "SELECT id, started_at FROM forced_run WHERE recipes = ? AND query = ?",
      arguments: [task.recipes, task.query])
    guard let row else { return nil }
    let id: Int64 = try row[0]
    let done = try Int64.fetchAll(db, sql: "SELECT audio_id FROM forced_recording WHERE run_id = ?", arguments: [id])
    return try ReanalysisCheckpoint(id: id, startedAt: row[1], doneIDs: Set(done))
  }
}
