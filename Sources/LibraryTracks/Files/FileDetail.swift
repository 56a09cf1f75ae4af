package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
package import QueryLanguage
internal import UserData

/// One file of a recording.
package struct FileDetail: Hashable, Sendable {
  package var id: Int64
  /// Absolute.
  package var path: BytePath
  /// As it was scanned.
  package var status: FileStatus
  package var state: FileState
  package var problem: Problem?
  /// Remarks that do not change the state, such as `extension-mismatch`.
  package var notes: [String]
  package var attempts: Int
  /// Of the program that read it; negative if a library was missing.
  package var extractorVersion: Int
  /// Seconds since 1970.
  package var addedAt: Int64
  /// Seconds since 1970; set while the file is missing.
  package var missingSince: Int64?
  /// Of the stream in it; nil if it could not be read.
  package var streamHash: ContentHash?
  /// What it says about its stream; nil if it was not read since this is stored.
  package var declaration: StreamDeclaration?
  /// As this file gives it, with its own container and trimming; nil if nothing is known.
  package var format: MediaFormat?
  /// Seconds since 1970: when its bytes were last compared with what was read before, and agreed.
  package var verifiedAt: Int64?

  package var byteCount: Int64 { status.byteCount }
  /// Nanoseconds since 1970.
  package var modificationTimeInNanoseconds: Int64 { status.modificationTimeInNanoseconds }
  /// What the scan saw of it.
  package var stamp: FileStatus.Stamp { status.stamp }
}

extension FileDetail {
  /// The columns that ``init(row:)`` reads, of `file JOIN root LEFT JOIN audio LEFT JOIN stream`.
  static let columns = """
    file.id, root.path AS root_path, file.path, file.size_bytes, file.mtime_ns, file.ctime_ns, file.inode, file.device, file.state, file.problem_code,
    file.problem_reason, file.problem_position_s, file.notes, file.attempts, file.extractor_version,
    file.added_at, file.missing_since,
    file.verified_at, file.statement, stream.hash AS stream_hash, file.container, stream.codec, audio.sample_rate_hz, audio.channels,
    stream.bits, stream.bitrate_bps, file.declared_frames, file.decoded_frames, file.delay_frames, file.padding_frames
    """

  init(row: Row) throws {
    let notes: String? = try row["notes"]
    try self.init(
      id: row["id"], path: BytePath(row["root_path"] as Data).appending(BytePath(row["path"] as Data)),
      status: FileStatus(
        byteCount: row["size_bytes"], modificationTimeInNanoseconds: row["mtime_ns"],
        changeTimeInNanoseconds: row["ctime_ns"], inode: UInt64(bitPattern: row["inode"] as Int64),
        device: UInt64(bitPattern: row["device"] as Int64)),
      state: FileState(rawValue: row["state"]) ?? .pending, problem: Problem(row: row),
      notes: notes.flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) } ?? [],
      attempts: row["attempts"], extractorVersion: row["extractor_version"], addedAt: row["added_at"],
      missingSince: row["missing_since"],
      streamHash: (row["stream_hash"] as Data?).flatMap { ContentHash(bytes: $0) },
      declaration: (row["statement"] as String?).flatMap(StreamDeclaration.init), format: MediaFormat(row: row),
      verifiedAt: row["verified_at"])
  }
}

/// The files of a library: where they are, their state, tags, labels and parts.
package struct Files {
  let store: MediaStore
}

extension MediaStore {
  /// Its files.
  package var files: Files { Files(store: self) }
}

extension Files {
  /// Calls `body` with each file in another state than `ok` that a query finds, by path unless the query sorts.
  ///
  /// `body` must not call the store; its errors are rethrown.
  package func forEachProblem(in query: Query = .everything, _ body: (FileDetail) throws -> Void) throws {
    var stopped: (any Error)?
    try store.read { db in
      var query = query
      let isProblem = QueryCondition.test(
        QueryField("state", .text), .oneOf(FileState.allCases.filter { $0 != .ok }.map(\.rawValue)))
      query.condition = query.condition.map { .all([isProblem, $0]) } ?? isProblem
      let plan = try QueryPlan(query, columns: FileDetail.columns, limit: nil, in: db)
      try plan.withFunctions(db) {
        for statement in plan.statements {
          let rows = try Row.fetchCursor(db, sql: statement.sql, arguments: StatementArguments(statement.arguments))
          while let row = try rows.next() {
            let file = try FileDetail(row: row)
            do {
              try body(file)
            } catch {
              stopped = error
              return
            }
          }
        }
      }
    }
    if let stopped { throw stopped }
  }

  /// The files of a recording, found through `file_by_audio`: present ones first, then by path.
  package func all(ofRecording id: Int64) throws(StoreError) -> [FileDetail] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(FileDetail.columns)
            FROM file JOIN root ON root.id = file.root_id LEFT JOIN audio ON audio.id = file.audio_id
                 LEFT JOIN stream ON stream.id = file.stream_id
           WHERE file.audio_id = :id
           ORDER BY file.missing_since IS NOT NULL, root.path, file.path, file.id
          """,
        arguments: ["id": id]
      ).map(FileDetail.init(row:))
    }
  }

  /// Makes the next scan read files again, as if a newer version could read them better.
  package func retry(_ fileIDs: [Int64]) throws(StoreError) {
    try store.write(.batch) { db in
      for id in fileIDs {
        try db.execute(sql: "UPDATE file SET extractor_version = 0, attempts = 0 WHERE id = ?", arguments: [id])
      }
    }
  }

  /// The ids of the files at paths, found through the index on paths; nil if a file is not in the library.
  ///
  /// Each path is tried as written, then with the symbolic links of its folder resolved.
  package func ids(at paths: [BytePath], workingDirectory: BytePath? = nil) throws(StoreError) -> [Int64?] {
    let roots = try store.roots.all()
    return try store.read { db in
      let statement = try db.makeStatement(sql: "SELECT id FROM file WHERE root_id = ? AND path = ?")
      return try paths.map { path in
        for candidate in LibraryPath.candidates(for: path, in: workingDirectory) {
          for root in roots where candidate.isBelowOrEqual(to: root.path) && root.path != candidate {
            let found = try Int64.fetchOne(
              statement, arguments: [root.id, candidate.relative(to: root.path).data])
            if let found { return found }
          }
        }
        return nil
      }
    }
  }
}

/// A file that is there, as a query found it.
package struct PresentFile: Hashable, Sendable {
  package var id: Int64
  /// The folder of its root.
  package var root: BytePath
  package var byteCount: Int64
}

extension Files {
  /// The files with a recording that a query finds and that are not missing, by path.
  package func present(in query: Query) throws(StoreError) -> [PresentFile] {
    try store.read { db in
      var compiler = QueryCompiler(try QueryContext(db))
      let source = QueryRoute.files.source { compiler.bind($0) }
      let condition = query.condition.map { compiler.condition($0) } ?? "TRUE"
      return try compiler.withFunctions(db) {
        try Row.fetchAll(
          db,
          sql: """
            SELECT file.id, root.path, file.size_bytes
              FROM \(source)
             WHERE file.missing_since IS NULL AND file.audio_id IS NOT NULL AND \(condition)
             ORDER BY root.path, file.path, file.id
            """,
          arguments: StatementArguments(compiler.arguments)
        ).map { try PresentFile(id: $0[0], root: BytePath($0[1] as Data), byteCount: $0[2]) }
      }
    }
  }
}
