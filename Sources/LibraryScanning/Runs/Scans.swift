package import Base
internal import Foundation
internal import Glibc
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
package import MediaModel
package import MediaStore
internal import UserData

/// A file of the library, for comparison with the file system.
package struct KnownFile: Hashable, Sendable {
  package var id: Int64
  /// Relative to the root.
  package var path: BytePath
  package var status: FileStatus
  package var state: FileState
  /// The state when the file was last read; differs from ``state`` only if it is missing now.
  package var lastState: FileState
  package var extractorVersion: Int
  package var recordingID: Int64?
  /// Whether the last scan left it out although it is there.
  package var isExcluded: Bool
  /// What kind of row it is besides that of a sound.
  package var kind: Kind

  package enum Kind: Sendable {
    case sound
    /// A file that is no sound by its bytes nor by its name, from a version that stored such files.
    case other
    /// A folder that the last scan could not read.
    case unreadableFolder
  }

  package init(
    id: Int64, path: BytePath, status: FileStatus, state: FileState, lastState: FileState,
    extractorVersion: Int, recordingID: Int64?, isExcluded: Bool = false, kind: Kind = .sound
  ) {
    self.id = id
    self.path = path
    self.status = status
    self.state = state
    self.lastState = lastState
    self.extractorVersion = extractorVersion
    self.recordingID = recordingID
    self.isExcluded = isExcluded
    self.kind = kind
  }
}

/// What scans find out and write.
package struct Scans {
  let store: MediaStore
}

extension MediaStore {
  /// Its scans.
  package var scans: Scans { Scans(store: self) }
}

extension Scans {
  /// Takes the scan lock, without waiting.
  ///
  /// - Throws: ``StoreError/scanRunning(_:processID:since:)`` while another scan runs.
  package func begin() throws(StoreError) -> RunLock<ScanRun> {
    try store.lockForScanning()
    do throws(StoreError) {
      let id = try store.write(.batch) { db in
        try db.execute(
          sql: "INSERT INTO scan_run (process_id, started_at) VALUES (?, ?)", arguments: [getpid(), store.now])
        return db.lastInsertedRowID
      }
      return RunLock(runID: id, library: store.library)
    } catch {
      store.library.unlock(.scan)
      throw error
    }
  }

  /// Records the results of a scan, for the status; call this before its lock is released.
  package func finish(_ summary: ScanSummary, of scan: RunLock<ScanRun>) throws(StoreError) {
    try store.write(.batch) { db in
      try CorrectionWriter.settle(db)
      try store.settleAlbums(db, isScanning: false)
      try db.execute(
        sql: """
          UPDATE scan_run
             SET ended_at = :ended, interrupted = :interrupted, found = :found, new = :new, changed = :changed,
                 unchanged = :unchanged, moved = :moved, missing = :missing, problems = :problems,
                 decoded_files = :decoded, audio_s = :audio, elapsed_s = :elapsed
           WHERE id = :id
          """,
        arguments: [
          "id": scan.runID, "ended": store.now, "interrupted": summary.isInterrupted, "found": summary.found,
          "new": summary.new, "changed": summary.changed, "unchanged": summary.unchanged, "moved": summary.moved,
          "missing": summary.missing, "problems": summary.problems, "decoded": summary.decodedFiles,
          "audio": summary.audioInSeconds, "elapsed": summary.elapsedInSeconds,
        ])
    }
    try followRenamedArtists()
  }

  /// Gives what was decided about artists whom files call otherwise now to their new names, as one change in the journal.
  private func followRenamedArtists() throws(StoreError) {
    let artists = store.attachment(RenamedArtists.init)
    let renames = artists.renames
    guard !renames.isEmpty else { return }
    let shown = renames.sorted { $0.key < $1.key }.prefix(3).map { "\($0.key) to \($0.value)" }
    let more = renames.count > shown.count ? " and \(renames.count - shown.count) more" : ""
    let left = try store.edit("follow artists that files have renamed: \(shown.joined(separator: ", "))\(more)") {
      editor in
      try ArtistDecisions.follow(renames, &editor)
      return try ArtistDecisions.names(editor.db)
    }
    // Others are still named by a file, or both names have something decided.
    for former in renames.keys where !left.contains(former) { artists.forget(former) }
  }

  /// Writes changes that a scan found, in one transaction.
  ///
  /// Files that swapped their names must be in one batch. A file that takes the path of another one that moves comes in
  /// the same batch or a later one. Changes of files that are no longer in the library are skipped. Recordings are
  /// never deleted here unless they turn out to be another one, and keep their products except for the kinds that an
  /// extraction brings.
  ///
  /// - Returns: what became of recordings about which users decided something.
  @discardableResult
  package func apply(_ changes: [FileChange]) throws(StoreError) -> [IdentityChange] {
    guard !changes.isEmpty else { return [] }
    return try store.writePart(.batch) { db in
      var writer = ChangeWriter(db, now: store.now, artists: store.attachment(RenamedArtists.init))
      try writer.apply(changes)
      writer.handOnRenames()
      return writer.identities.changes
    }
  }

  /// All files below a root or one of its folders, including missing ones, in the order of their paths (by the unique
  /// index on root and path).
  package func knownFiles(
    inRoot rootID: Int64, below folder: BytePath = BytePath("")
  ) throws(StoreError) -> [KnownFile] {
    try store.read { db in
      var files: [KnownFile] = []
      let (sql, arguments) = Self.knownFiles(inRoot: rootID, below: folder)
      let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
      while let row = try rows.next() {
        files.append(try Self.knownFile(row))
      }
      return files
    }
  }

  static func knownFiles(inRoot rootID: Int64, below folder: BytePath) -> (sql: String, StatementArguments) {
    var condition = "root_id = :root"
    var arguments: StatementArguments = ["root": rootID]
    if !folder.bytes.isEmpty {
      // The folder's own name, and all paths from a slash after it up to the next character, which is 0.
      condition += " AND path >= :folder AND path < :end AND (path = :folder OR path >= :start)"
      arguments += [
        "folder": folder.data, "start": BytePath(folder.bytes + Array("/".utf8)).data,
        "end": BytePath(folder.bytes + Array("0".utf8)).data,
      ]
    }
    return (
      """
      SELECT \(knownFileColumns) FROM file WHERE \(condition) ORDER BY path, id
      """, arguments
    )
  }

  /// A path, read without a copy of SQLite's bytes.
  private static func path(_ row: Row, _ index: Int) throws -> BytePath {
    (try? row.withUnsafeData(atIndex: index) { BytePath($0.map(Array.init) ?? []) }) ?? BytePath("")
  }

  /// The columns of `file` that ``knownFile(_:)`` reads.
  static let knownFileColumns = """
    id, path, size_bytes, mtime_ns, ctime_ns, inode, device, state, last_state, extractor_version, audio_id,
    \(FileRowSQL.isExcluded), \(FileRowSQL.isUnreadableFolder), \(FileRowSQL.isWithoutSound)
    """

  /// - Parameter row: It begins with ``knownFileColumns``.
  static func knownFile(_ row: Row) throws -> KnownFile {
    let path = try path(row, 1)
    let isOther = try row[13] && FileNameHint(pathExtension: path.pathExtension) != .audio
    return try KnownFile(
      id: row[0], path: path,
      status: FileStatus(
        byteCount: row[2], modificationTimeInNanoseconds: row[3], changeTimeInNanoseconds: row[4],
        inode: UInt64(bitPattern: row[5] as Int64), device: UInt64(bitPattern: row[6] as Int64)),
      state: FileState(rawValue: row[7]) ?? .pending, lastState: FileState(rawValue: row[8]) ?? .pending,
      extractorVersion: row[9], recordingID: row[10], isExcluded: row[11],
      kind: row[12] ? .unreadableFolder : isOther ? .other : .sound)
  }
}
