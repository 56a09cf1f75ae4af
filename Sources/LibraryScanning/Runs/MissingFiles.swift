package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
package import MediaStore
package import QueryLanguage
internal import UserData

/// A file that may be forgotten, usually because the last scan of its folder did not find it.
package struct MissingFile: Hashable, Sendable {
  package enum Cause: String, Sendable {
    case missing
    /// There, but left out by the last scan.
    case excluded
    /// No sound by its bytes nor by its name; an older version stored it.
    case noSound = "no sound"
  }

  package var id: Int64
  package var rootID: Int64
  /// Absolute.
  package var path: BytePath
  package var cause: Cause

  package init(id: Int64, rootID: Int64, path: BytePath, cause: Cause = .missing) {
    self.id = id
    self.rootID = rootID
    self.path = path
    self.cause = cause
  }
}

/// What was deleted, or would be.
package struct PruneReport: Hashable, Sendable {
  package var fileCount = 0
  /// Recordings that are left without a file and of which something was stored.
  package var recordingCount = 0
  /// The size of their products.
  package var byteCount: Int64 = 0
  /// Assignments of presets to these recordings; they stay.
  package var keptAssignmentCount = 0
  /// Recordings among them that are in a list or have an attribute: their rows stay, without products and measures.
  package var keptRecordingCount = 0

  static func += (report: inout PruneReport, part: PruneReport) {
    report.fileCount += part.fileCount
    report.recordingCount += part.recordingCount
    report.byteCount += part.byteCount
    report.keptAssignmentCount += part.keptAssignmentCount
    report.keptRecordingCount += part.keptRecordingCount
  }
}

/// The files of a library that may be forgotten.
package struct MissingFiles {
  let store: MediaStore
}

extension MediaStore {
  /// Its missing files.
  package var missingFiles: MissingFiles { MissingFiles(store: self) }
}

extension MissingFiles {
  /// The missing files that a query finds, and those that are no sounds, by path.
  ///
  /// - Parameter includingExcluded: whether also those that the last scan left out.
  package func all(
    in query: Query, includingExcluded: Bool = false
  ) throws(StoreError) -> [MissingFile] {
    try store.read { db in
      var compiler = QueryCompiler(try QueryContext(db))
      let source = QueryRoute.files.source { compiler.bind($0) }
      // Without a condition, files that never were audio count too.
      let condition = query.condition.map { "\(QueryCompiler.isListed) AND \(compiler.condition($0))" } ?? "TRUE"
      return try compiler.withFunctions(db) {
        try Row.fetchAll(
          db,
          sql: """
            SELECT file.id, root.id, root.path, file.path, file.missing_since IS NOT NULL,
                   \(includingExcluded ? FileRowSQL.isExcluded : "0")
              FROM \(source)
             WHERE (file.missing_since IS NOT NULL OR \(FileRowSQL.isWithoutSound)
                    \(includingExcluded ? "OR \(FileRowSQL.isExcluded)" : ""))
               AND \(condition)
             ORDER BY root.path, file.path, file.id
            """,
          arguments: StatementArguments(compiler.arguments)
        ).compactMap { row in
          let path = try BytePath(row[3] as Data)
          let cause: MissingFile.Cause = try row[4] ? .missing : row[5] ? .excluded : .noSound
          // An empty or foreign file with the name of a sound is a problem to be seen.
          if cause == .noSound, FileNameHint(pathExtension: path.pathExtension) == .audio { return nil }
          return try MissingFile(
            id: row[0], rootID: row[1], path: BytePath(row[2] as Data).appending(path), cause: cause)
        }
      }
    }
  }

  /// What `prune(_:includingOrphans:)` would delete.
  package func pruneReport(_ files: [MissingFile], includingOrphans: Bool) throws(StoreError) -> PruneReport {
    try store.read { db in
      let orphans = includingOrphans ? try Self.orphans(db) : []
      var report = try Self.report(on: try Self.recordings(only: files.map(\.id), db) + orphans, db)
      report.fileCount = files.count
      return report
    }
  }

  /// Deletes the rows of missing files, and the recordings that are then left without a file, with all their products.
  ///
  /// What users made stays: presets, assignments, and the rows of recordings that are in a list or have an attribute.
  /// So a file that comes back gets them again. A file that is there again stays. Others can write meanwhile. A
  /// prune that is stopped has deleted some files with everything that belongs to them; the next one deletes the rest.
  ///
  /// - Parameter includingOrphans: whether to delete all recordings without a file, not only those of these files.
  /// - Throws: ``StoreError/scanRunning(_:processID:since:)`` while a scan runs.
  package func prune(_ files: [MissingFile], includingOrphans: Bool) throws(StoreError) -> PruneReport {
    guard store.canWrite else { throw .readOnly(store.library.path) }
    // A scan holds rows in memory.
    guard try store.library.tryLock(.scan) else { throw store.runningScan }
    defer { store.library.unlock(.scan) }
    var report = PruneReport()
    for part in try store.parts(ofFiles: files.map(\.id)) {
      report += try store.writePart(.durable) { try forget(files: part, $0) }
    }
    guard includingOrphans else { return report }
    for part in MediaStore.parts(of: try store.read(Self.orphans)) {
      report += try store.writePart(.durable) { try Self.forget(recordings: part, $0) }
    }
    return report
  }

  private static let isForgotten = """
    SELECT missing_since IS NOT NULL OR \(FileRowSQL.isExcluded) OR \(FileRowSQL.isWithoutSound)
      FROM file WHERE id = ?
    """

  private func forget(files: [Int64], _ db: Database) throws -> PruneReport {
    let missing = try files.filter { id in
      try Bool.fetchOne(
        db.cachedStatement(sql: Self.isForgotten), arguments: [id]) ?? false
    }
    let recordings = try Self.recordings(only: missing, db)
    var writer = ChangeWriter(db, now: store.now)
    try writer.deleteFiles(missing)
    var report = try Self.forget(recordings: recordings, db)
    report.fileCount = missing.count
    return report
  }

  private static func forget(recordings: [Int64], _ db: Database) throws -> PruneReport {
    let report = try report(on: recordings, db)
    for id in recordings { try forget(id, db) }
    return report
  }

  /// Whether users made rows that refer to the row of a recording: an entry of a list or an attribute.
  private static let isDecided = """
    (EXISTS (SELECT 1 FROM list_entry WHERE audio_id = audio.id)
     OR EXISTS (SELECT 1 FROM attribute WHERE audio_id = audio.id))
    """

  private static let isForgettable = "(decoded_frames IS NOT NULL OR NOT \(isDecided))"

  /// Deletes a recording. If users made rows for it, it stays in the state of a recording that was never decoded.
  private static func forget(_ id: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM audio WHERE id = ? AND NOT \(isDecided)").execute(arguments: [id])
    guard db.changesCount == 0 else { return }
    try db.cachedStatement(sql: "DELETE FROM product WHERE audio_id = ?").execute(arguments: [id])
    try db.cachedStatement(sql: "DELETE FROM measures WHERE audio_id = ?").execute(arguments: [id])
    try db.cachedStatement(sql: "DELETE FROM tempo_key WHERE audio_id = ?").execute(arguments: [id])
    // Without a frame count, a scan that finds it again treats it as new.
    try db.cachedStatement(
      sql: """
        UPDATE audio
           SET state = 'pending', problem_code = NULL, problem_reason = NULL, problem_position_s = NULL,
               decoded_frames = NULL, delay_frames = NULL, padding_frames = NULL, statement = NULL
         WHERE id = ?
        """
    ).execute(arguments: [id])
  }

  /// The recordings that only these files have, and of which something can be deleted.
  private static func recordings(only files: [Int64], _ db: Database) throws -> [Int64] {
    var counts: [Int64: Int] = [:]
    for file in files {
      let id = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT audio_id FROM file WHERE id = ?"), arguments: [file])
      if let id { counts[id, default: 0] += 1 }
    }
    return try counts.filter { id, count in
      try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM file WHERE audio_id = ?"), arguments: [id])
        == count
    }.keys.sorted().filter { id in
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT \(isForgettable) FROM audio WHERE id = ?"), arguments: [id]) ?? false
    }
  }

  /// The recordings without a file of which something can be deleted.
  private static func orphans(_ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM audio
         WHERE NOT EXISTS (SELECT 1 FROM file WHERE file.audio_id = audio.id) AND \(isForgettable)
         ORDER BY id
        """)
  }

  private static func report(on recordings: [Int64], _ db: Database) throws -> PruneReport {
    var report = PruneReport(recordingCount: recordings.count)
    for id in recordings {
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT (SELECT coalesce(sum(byte_count), 0) FROM product WHERE audio_id = audio.id),
                   (SELECT count(*) FROM preset_assignment AS a
                     WHERE a.scope IN ('part', 'track') AND a.hash = audio.hash AND a.artist = '' AND a.album = ''),
                   \(isDecided)
              FROM audio WHERE id = ?
            """), arguments: [id])
      report.byteCount += try row?[0] ?? 0
      report.keptAssignmentCount += try row?[1] ?? 0
      report.keptRecordingCount += try row?[2] ?? 0
    }
    return report
  }
}
