package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryTracks
package import MediaStore
internal import UserData

/// A new library that is made of others in one pass.
///
/// It is built in a file without its final name, without the indexes and triggers that cost time at each row; these come
/// at the end, when all rows are there. So it appears complete or not at all, and a process that is killed leaves
/// nothing but a file that the next one removes.
package enum MergedLibrary {
  /// The most rows of a transaction: nobody waits for it, and the journal is in memory.
  private static let partRowCount = 5_000
  /// Pages that are kept in memory. The keys of a million recordings and files fit.
  private static let cacheKiB = 200_000

  /// Merges libraries, in their order, into one that does not exist. The result is that of merging them one by one into
  /// an empty library.
  ///
  /// Each library is checked right before it is merged.
  ///
  /// - Throws: If there is a file at the path by now, or a library cannot be used; then nothing is created.
  /// - Parameters:
  ///   - options: Neither a dry run, nor with a copy of the library from before.
  ///   - goesOn: Called before each step; false stops the merge, and nothing is created.
  package static func create(
    at path: BytePath, from paths: [BytePath], options: MergeOptions, goesOn: (MergeStep) -> Bool = { _ in true }
  ) throws(StoreError) -> MergeReport {
    let path = try LibraryPath.resolved(path)
    guard !LibraryPath.exists(path) else { throw exists(path) }
    try LibraryPath.requireOutput(path)
    var roots: [Root] = []
    for other in paths { roots += try self.roots(of: other) }
    try MediaStore.requireSuitableRoots(options, roots)
    try LibraryPath.makeFolders(for: path)
    let temporary = try LibraryLeftovers.reserve(for: path)
    defer { LibraryLeftovers.remove(temporary) }
    let library = try LibraryFile(at: temporary)
    defer { library.close() }
    // Marks the file as being worked on, until this process ends.
    _ = try library.tryLock(.scan)
    var report = MergeReport()
    do {
      try DatabaseQueue.withDatabase(at: library.pathForSQLite) { queue in
        try queue.writeWithoutTransaction { db in
          let later = try prepare(db)
          for other in paths {
            guard goesOn(MergeStep(library: other)),
              let merged = try merge(try MergeSource(at: other, for: path, except: nil), options, goesOn, db)
            else {
              report.isInterrupted = true
              return
            }
            report.libraries.append(merged)
          }
          // Touches every page, whose former bytes nobody needs: after an error there is no library.
          try db.execute(sql: "PRAGMA journal_mode = OFF")
          try later.create(db)
          try db.execute(sql: "PRAGMA journal_mode = \(library.journalMode)")
        }
      }
    } catch {
      throw StoreError(error, at: library).naming(path)
    }
    guard !report.isInterrupted else { return report }
    try library.synchronize()
    guard try LibraryPath.link(temporary, to: path) else { throw exists(path) }
    try LibraryPath.synchronizeFolder(of: path)
    report.isChanged = true
    return report
  }

  private static func exists(_ path: BytePath) -> StoreError {
    .outputExists(path, reason: "a merge into a new library replaces nothing")
  }

  private static func roots(of path: BytePath) throws(StoreError) -> [Root] {
    let store = try MediaStore(at: path, access: .readOnly)
    defer { try? store.close() }
    return try store.roots.all()
  }

  /// Makes the tables.
  private static func prepare(_ db: Database) throws -> DerivedObjects {
    try db.execute(sql: LibrarySchema.script)
    try db.execute(
      sql: """
        PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -\(cacheKiB)
        """)
    db.add(function: .crc32)
    return try DerivedObjects(takenFrom: db)
  }

  /// - Returns: nil if it was stopped.
  private static func merge(
    _ source: MergeSource, _ options: MergeOptions, _ goesOn: (MergeStep) -> Bool, _ db: Database
  ) throws -> MergeReport.Library? {
    source.attach(to: db)
    defer { BulkCopy.detach(from: db) }
    return try source.read { rows in
      let progress = try MergeProgress(source.path, rows, rowCount: partRowCount)
      var writer = try MergeWriter(db, rows, options, progress, now: Int64(time(nil)))
      while let part = progress.nextPart {
        guard goesOn(progress.step) else { return nil }
        try db.inTransaction(.immediate) {
          try writer.merge(part)
          return .commit
        }
        progress.noteDone(part)
      }
      return progress.report
    }
  }
}

/// The indexes and triggers of the tables that have a row for each file or recording, and what triggers would have kept.
///
/// Those that a merge itself looks rows up with stay.
private struct DerivedObjects {
  private let definitions: [String]

  private static let kept = [
    "file_by_audio", "stream_by_audio", "former_hash_by_current", "file_artwork_by_artwork", "file_by_key",
    "file_by_album_id", "file_by_album_shelf", "file_by_album_folder", "album_due_added", "album_due_changed",
    "album_due_removed",
  ]

  /// Drops them.
  init(takenFrom db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, sql FROM sqlite_schema
         WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
           AND tbl_name IN ('file', 'audio', 'stream', 'measures', 'product') ORDER BY rowid
        """
    ).filter { row in try !Self.kept.contains(row[1] as String) }
    definitions = try rows.map { try $0[2] }
    for row in rows { try db.execute(sql: "DROP \(row[0] as String) \(row[1] as String)") }
  }

  /// Makes them again, after all rows are there.
  func create(_ db: Database) throws {
    try db.inTransaction(.immediate) {
      try db.execute(
        sql: """
          UPDATE audio SET (file_count, present_count) =
            (SELECT count(*), count(*) - count(missing_since) FROM file WHERE audio_id = audio.id);
          UPDATE file SET key = randomblob(16) WHERE key IS NULL;
          UPDATE file SET bpm = coalesce(tag_bpm, (SELECT bpm FROM tempo_key WHERE audio_id = file.audio_id)),
            musical_key = coalesce(tag_key, (SELECT musical_key FROM tempo_key WHERE audio_id = file.audio_id));
          INSERT INTO file_tally SELECT root_id, state, count(*), sum(size_bytes) FROM file GROUP BY 1, 2;
          INSERT INTO audio_tally
            SELECT CASE WHEN present_count > 0 THEN 'present' WHEN file_count > 0 THEN 'missing' ELSE 'none' END,
                   coalesce(sample_rate_hz, 0), count(*), sum(coalesce(decoded_frames, 0)) FROM audio GROUP BY 1, 2;
          INSERT INTO product_tally
            SELECT kind, version, parameters, count(*), sum(byte_count) FROM product GROUP BY 1, 2, 3;
          INSERT INTO product_tally
            SELECT 'measures', version, parameters, count(*), 0 FROM measures GROUP BY 2, 3;
          """)
      return .commit
    }
    for definition in definitions { try db.execute(sql: definition) }
    try db.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
  }
}
