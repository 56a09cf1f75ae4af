internal import Foundation
internal import Glibc
internal import GRDB
package import MediaModel

extension MediaStore {
  /// Takes the right to scan, at once or not at all.
  ///
  /// - Throws: ``StoreError/scanRunning(_:processID:since:)`` while another scan runs.
  package func beginScan() throws(StoreError) -> RunLock<ScanRun> {
    try lockForScanning()
    do throws(StoreError) {
      let id = try write(.batch) { db in
        try db.execute(sql: "INSERT INTO scan_run (process_id, started_at) VALUES (?, ?)", arguments: [getpid(), now])
        return db.lastInsertedRowID
      }
      return RunLock(runID: id, library: library)
    } catch {
      library.unlock(.scan)
      throw error
    }
  }

  /// Takes the lock of whoever changes more than single rows, and clears away what killed processes left beside the library.
  func lockForScanning() throws(StoreError) {
    guard canWrite else { throw .readOnly(library.path) }
    guard try library.tryLock(.scan) else { throw runningScan }
    LibraryLeftovers.removeAll(beside: path)
  }

  /// The error for whoever holds the lock, with the process if that is a scan or a reanalysis.
  var runningScan: StoreError {
    let runs: [(processID: Int32, startedAt: Int64)]? = try? read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT process_id, started_at
            FROM (SELECT process_id, started_at, id, 0 AS source FROM scan_run WHERE ended_at IS NULL
                  UNION ALL SELECT process_id, started_at, id, 1 FROM reanalysis WHERE ended_at IS NULL)
           ORDER BY started_at DESC, source DESC, id DESC
          """
      ).map { try ($0[0], $0[1]) }
    }
    // One that was killed could not say that it ended.
    let run = runs?.first { RunningProcess.isThere($0.processID, since: $0.startedAt) }
    return .scanRunning(
      library.path, processID: run?.processID, since: run.map { Timestamp(secondsSince1970: $0.startedAt).description })
  }

  /// Keeps what the scan did, for the status; to be called before its lock is released.
  package func finishScan(_ summary: ScanSummary, of scan: RunLock<ScanRun>) throws(StoreError) {
    try write(.batch) { db in
      try db.execute(
        sql: """
          UPDATE scan_run
             SET ended_at = :ended, interrupted = :interrupted, found = :found, new = :new, changed = :changed,
                 unchanged = :unchanged, moved = :moved, missing = :missing, problems = :problems,
                 decoded_files = :decoded, audio_s = :audio, elapsed_s = :elapsed
           WHERE id = :id
          """,
        arguments: [
          "id": scan.runID, "ended": now, "interrupted": summary.isInterrupted, "found": summary.found,
          "new": summary.new, "changed": summary.changed, "unchanged": summary.unchanged, "moved": summary.moved,
          "missing": summary.missing, "problems": summary.problems, "decoded": summary.decodedFiles,
          "audio": summary.audioInSeconds, "elapsed": summary.elapsedInSeconds,
        ])
    }
  }

  /// Every file below a root, or a folder of it, missing ones included, in the order of their paths (by the unique
  /// index on root and path).
  package func knownFiles(
    inRoot rootID: Int64, below folder: BytePath = BytePath("")
  ) throws(StoreError) -> [KnownFile] {
    try read { db in
      var files: [KnownFile] = []
      let (sql, arguments) = Self.knownFiles(inRoot: rootID, below: folder)
      let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
      while let row = try rows.next() {
        files.append(try Self.knownFile(row))
      }
      return files
    }
  }

  /// The steps of SQLite's plan for ``knownFiles(inRoot:below:)``, for tests.
  package func planOfKnownFiles(inRoot rootID: Int64, below folder: BytePath) throws(StoreError) -> [String] {
    try read { db in
      let (sql, arguments) = Self.knownFiles(inRoot: rootID, below: folder)
      return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map { try $0["detail"] }
    }
  }

  private static func knownFiles(inRoot rootID: Int64, below folder: BytePath) -> (sql: String, StatementArguments) {
    var condition = "root_id = :root"
    var arguments: StatementArguments = ["root": rootID]
    if !folder.bytes.isEmpty {
      // The folder's own name, and all from a slash behind it up to the next character, which is 0.
      condition += " AND path >= :folder AND path < :end AND (path = :folder OR path >= :start)"
      arguments += [
        "folder": folder.data, "start": BytePath(folder.bytes + Array("/".utf8)).data,
        "end": BytePath(folder.bytes + Array("0".utf8)).data,
      ]
    }
    return (
      """
      SELECT id, path, size_bytes, mtime_ns, ctime_ns, inode, device, state, last_state, extractor_version, audio_id
        FROM file WHERE \(condition) ORDER BY path, id
      """, arguments
    )
  }

  /// A path read where SQLite has it, without a copy of its bytes.
  private static func path(_ row: Row, _ index: Int) throws -> BytePath {
    (try? row.withUnsafeData(atIndex: index) { BytePath($0.map(Array.init) ?? []) }) ?? BytePath("")
  }

  /// - Parameter row: id, path, size_bytes, mtime_ns, ctime_ns, inode, device, state, last_state,
  ///   extractor_version, audio_id.
  static func knownFile(_ row: Row) throws -> KnownFile {
    try KnownFile(
      id: row[0], path: path(row, 1),
      status: FileStatus(
        byteCount: row[2], modificationTimeInNanoseconds: row[3], changeTimeInNanoseconds: row[4],
        inode: UInt64(bitPattern: row[5] as Int64), device: UInt64(bitPattern: row[6] as Int64)),
      state: FileState(rawValue: row[7]) ?? .pending, lastState: FileState(rawValue: row[8]) ?? .pending,
      extractorVersion: row[9], recordingID: row[10])
  }

  /// What is known of a sound, found through the unique index on its hash; nil if it was never seen.
  package func recording(hash: ContentHash) throws(StoreError) -> RecordingSummary? {
    try read { db in
      guard
        let row = try Row.fetchOne(db, sql: "SELECT * FROM audio WHERE hash = ?", arguments: [Data(hash.bytes)])
      else { return nil }
      return try Self.summary(of: row, in: db)
    }
  }

  package func recording(id: Int64) throws(StoreError) -> RecordingSummary? {
    try read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT * FROM audio WHERE id = ?", arguments: [id]) else { return nil }
      return try Self.summary(of: row, in: db)
    }
  }

  /// - Parameter row: all of `audio`.
  static func summary(of row: Row, in db: Database) throws -> RecordingSummary? {
    guard let hash = try ContentHash(bytes: row["hash"] as Data) else { return nil }
    let id: Int64 = try row["id"]
    let products = try Row.fetchAll(
      db,
      sql: """
        SELECT kind, version, parameters, byte_count FROM product WHERE audio_id = :id
        UNION ALL SELECT 'measures', version, parameters, 0 FROM measures WHERE audio_id = :id
        ORDER BY 1
        """,
      arguments: ["id": id]
    ).compactMap { row in
      try ProductKind(rawValue: row[0]).map {
        try StoredProduct(kind: $0, version: row[1], parameters: row[2], byteCount: row[3])
      }
    }
    return try RecordingSummary(
      id: id, hash: hash, state: FileState(rawValue: row["state"]) ?? .damaged, problem: Problem(row: row),
      format: MediaFormat(row: row), products: products)
  }
}
