internal import Base
internal import Foundation
package import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
internal import UserData

/// The contents of a library in numbers.
package struct LibraryStatus: Hashable, Sendable {
  package struct RootStatus: Hashable, Sendable {
    package var root: Root
    package var fileCount: Int
    package var missingCount: Int
    package var byteCount: Int64
  }

  package struct ProductStatus: Hashable, Sendable {
    package var kind: ProductKind
    package var currentCount: Int
    /// Made by another version or with other parameters than this program would use.
    package var staleCount: Int
    package var byteCount: Int64
  }

  package struct Scan: Hashable, Sendable {
    package var processID: Int32
    /// Seconds since 1970.
    package var startedAt: Int64
    /// nil if it was killed, or still runs.
    package var endedAt: Int64?
    package var isRunning: Bool
    package var summary: ScanSummary?
  }

  package var roots: [RootStatus]
  /// The number of files in each state that occurs.
  package var files: [FileState: Int]
  /// Unsupported files that are not audio by name or content: stored so that no scan reads them again, and in no list.
  package var unlistedCount: Int
  package var recordingCount: Int
  /// Recordings without a file.
  package var orphanCount: Int
  /// Of the recordings with a present file, each counted once.
  package var audioInSeconds: Double
  /// The size of all present files.
  package var mediaByteCount: Int64
  package var products: [ProductStatus]
  /// Presets of the library, without those of the program.
  package var presetCount: Int
  package var presetAssignmentCount: Int
  /// Whether presets are switched on for the library as a whole.
  package var arePresetsOn: Bool
  package var lastScan: Scan?
  /// The size of the library without its write-ahead log.
  package var libraryByteCount: Int64
}

extension MediaStore {
  /// Reads sums that triggers maintain, so that the time does not depend on the number of files, except unsupported
  /// ones.
  package func status() throws(StoreError) -> LibraryStatus {
    let isScanning = library.isLockedElsewhere(.scan)
    return try read { db in
      let roots = try Self.rootStatus(db)
      return LibraryStatus(
        roots: roots, files: try Self.stateCounts(db), unlistedCount: try Self.unlistedCount(db),
        recordingCount: try Int.fetchOne(db, sql: "SELECT sum(recording_count) FROM audio_tally") ?? 0,
        orphanCount: try Self.orphanCount(db),
        audioInSeconds: try Double.fetchOne(
          db,
          sql: """
            SELECT sum(CAST(frame_count AS REAL) / sample_rate_hz) FROM audio_tally
             WHERE presence = 'present' AND sample_rate_hz > 0
            """) ?? 0,
        mediaByteCount: roots.reduce(0) { $0 + $1.byteCount },
        products: try Self.productStatus(db),
        presetCount: try Int.fetchOne(db, sql: "SELECT count(*) FROM preset") ?? 0,
        presetAssignmentCount: try Int.fetchOne(
          db,
          sql: "SELECT count(*) FROM preset_assignment WHERE preset_id IS NOT NULL OR built_in IS NOT NULL") ?? 0,
        arePresetsOn: try AssignmentRow.isLibraryOn(db),
        lastScan: try Self.lastScan(db, isScanning: isScanning),
        libraryByteCount: try Self.byteCount(db))
    }
  }

  package static func orphanCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT sum(recording_count) FROM audio_tally WHERE presence = 'none'") ?? 0
  }

  private static func byteCount(_ db: Database) throws -> Int64 {
    let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    return pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
  }

  private static func rootStatus(_ db: Database) throws -> [LibraryStatus.RootStatus] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT root.id, root.path, root.volume, root.added_at, coalesce(sum(file_count), 0),
               coalesce(sum(CASE WHEN state = 'missing' THEN file_count END), 0),
               coalesce(sum(CASE WHEN state <> 'missing' THEN byte_count END), 0)
          FROM root LEFT JOIN file_tally ON file_tally.root_id = root.id
         GROUP BY root.id
         ORDER BY root.path, root.id
        """
    ).map { row in
      try LibraryStatus.RootStatus(
        root: Root(row: row),
        fileCount: row[4], missingCount: row[5], byteCount: row[6])
    }
  }

  private static func stateCounts(_ db: Database) throws -> [FileState: Int] {
    var counts: [FileState: Int] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT state, sum(file_count) FROM file_tally GROUP BY state") {
      if let state = try FileState(rawValue: row[0]) { counts[state] = try row[1] }
    }
    return counts
  }

  private static func unlistedCount(_ db: Database) throws -> Int {
    try Int.fetchOne(
      db,
      sql: "SELECT count(*) FROM file WHERE state = ? AND NOT \(QueryCompiler.isListed)",
      arguments: [FileState.unsupported.rawValue]) ?? 0
  }

  /// All kinds that this program makes, even if none is stored.
  private static func productStatus(_ db: Database) throws -> [LibraryStatus.ProductStatus] {
    var status = Dictionary(
      uniqueKeysWithValues: ProductKind.allCases.map {
        ($0, LibraryStatus.ProductStatus(kind: $0, currentCount: 0, staleCount: 0, byteCount: 0))
      })
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT kind, version, parameters, product_count, byte_count FROM product_tally
        """)
    for row in rows {
      guard let kind = try ProductKind(rawValue: row[0]) else { continue }
      let isCurrent = try ProductRecipe.current(kind).accepts(version: row[1], parameters: row[2])
      // A library of somebody else may hold any numbers.
      status[kind]?.currentCount.add(count: try isCurrent ? row[3] : 0)
      status[kind]?.staleCount.add(count: try isCurrent ? 0 : row[3])
      status[kind]?.byteCount.add(count: try row[4] as Int64)
    }
    return status.values.sorted { $0.kind < $1.kind }
  }

  private static func lastScan(_ db: Database, isScanning: Bool) throws -> LibraryStatus.Scan? {
    guard let row = try Row.fetchOne(db, sql: "SELECT * FROM scan_run ORDER BY id DESC LIMIT 1") else { return nil }
    let endedAt: Int64? = try row["ended_at"]
    var summary: ScanSummary?
    if endedAt != nil {
      var counts = ScanSummary()
      counts.found = try row["found"] ?? 0
      counts.new = try row["new"] ?? 0
      counts.changed = try row["changed"] ?? 0
      counts.unchanged = try row["unchanged"] ?? 0
      counts.moved = try row["moved"] ?? 0
      counts.missing = try row["missing"] ?? 0
      counts.problems = try row["problems"] ?? 0
      counts.decodedFiles = try row["decoded_files"] ?? 0
      counts.audioInSeconds = try row["audio_s"] ?? 0
      counts.elapsedInSeconds = try row["elapsed_s"] ?? 0
      counts.isInterrupted = try row["interrupted"] ?? false
      summary = counts
    }
    let (processID, startedAt): (Int32, Int64) = try (row["process_id"], row["started_at"])
    // Commands other than scans hold the lock, too.
    let isRunning = endedAt == nil && isScanning && RunningProcess.isThere(processID, since: startedAt)
    return LibraryStatus.Scan(
      processID: processID, startedAt: startedAt, endedAt: endedAt, isRunning: isRunning, summary: summary)
  }
}

extension FixedWidthInteger {
  /// Adds a number of things, which is at least 0, as far as there is room.
  package mutating func add(count: Self) {
    let (sum, overflow) = addingReportingOverflow(Swift.max(0, count))
    self = overflow ? .max : sum
  }
}
