package import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore

/// A command that wrote music files.
package struct FileChangeSummary: Hashable, Sendable {
  package var id: Int64
  /// Such as `write tags of 12 files`.
  package var summary: String
  /// Seconds since 1970.
  package var madeAt: Int64
  package var fileCount: Int
  /// The files of which it is in force: not undone, and not overwritten by somebody else.
  package var doneCount: Int
  /// The files that were being written when a process was killed, and were not looked at since.
  package var openCount: Int
  /// The files that are neither what they were nor what they should have become.
  package var foreignCount: Int
}

/// What is about to be written into a file.
package struct PlannedFileChange: Sendable {
  package var key: [UInt8]
  /// Absolute.
  package var path: BytePath
  /// The name of the file beside it that will take its place.
  package var temporary: BytePath
  package var oldHash: ContentHash
  package var newHash: ContentHash
  /// How the new file becomes the old one.
  package var undo: [UInt8]
  /// Pictures that this takes, which are in the library.
  package var pictures: Set<ContentHash>

  package init(
    key: [UInt8], path: BytePath, temporary: BytePath, oldHash: ContentHash, newHash: ContentHash, undo: [UInt8],
    pictures: Set<ContentHash>
  ) {
    (self.key, self.path, self.temporary, self.oldHash, self.newHash, self.undo, self.pictures) =
      (key, path, temporary, oldHash, newHash, undo, pictures)
  }
}

/// A file that was written, or is being written.
package struct FileChangePart: Sendable {
  package enum State: String, Sendable {
    /// The file is the old one or the new one.
    case planned
    case done
    /// The file is the new one or the old one again.
    case undoing
    case undone
    /// The file was found to be neither.
    case foreign
  }

  package var id: Int64
  package var changeID: Int64
  package var state: State
  /// Where it was written.
  package var path: BytePath
  package var temporary: BytePath?
  package var oldHash: ContentHash
  package var newHash: ContentHash
  package var undo: [UInt8]
  /// Where it is now; nil if it is not in the library, or missing.
  package var file: WritableFile?
}

/// What was written into music files, and how to take it back.
package struct FileChanges {
  package let store: MediaStore
}

extension MediaStore {
  /// What was written into its files.
  package var fileChanges: FileChanges { FileChanges(store: self) }
}

extension FileChanges {
  /// Takes the lock that keeps scans away while files are written; ``endWriting()`` gives it back.
  ///
  /// - Throws: ``StoreError/scanRunning(_:processID:since:)``.
  package func beginWriting() throws(StoreError) { try store.lockForScanning() }

  package func endWriting() { store.library.unlock(.scan) }

  /// Begins a change, to which files are added later.
  package func begin(_ summary: String) throws(StoreError) -> Int64 {
    try store.write(.batch) { db in
      try db.execute(
        sql: """
          INSERT INTO file_change (summary, made_at, last_change_id)
          VALUES (:summary, :now, (SELECT coalesce(max(id), 0) FROM change))
          """, arguments: ["summary": summary, "now": store.now])
      return db.lastInsertedRowID
    }
  }

  /// Sets the final words of a change, or removes one in which no file was written.
  package func end(_ id: Int64, _ summary: String) throws(StoreError) {
    try store.write(.batch) { db in
      try db.execute(sql: "UPDATE file_change SET summary = ? WHERE id = ?", arguments: [summary, id])
      try db.execute(
        sql: """
          DELETE FROM file_change
           WHERE id = :id AND NOT EXISTS (SELECT 1 FROM file_change_part WHERE change_id = :id)
          """, arguments: ["id": id])
    }
  }

  /// Notes what is about to be written, before anything is; it is on the disk when this returns.
  ///
  /// - Returns: the ids of the parts, in order.
  package func plan(_ files: [PlannedFileChange], in change: Int64) throws(StoreError) -> [Int64] {
    guard !files.isEmpty else { return [] }
    return try store.write(.durable) { db in
      var ids: [Int64] = []
      for file in files {
        try db.cachedStatement(
          sql: """
            INSERT INTO file_change_part (change_id, file_key, path, path_text, state, temporary, old_hash, new_hash, undo)
            VALUES (:change, :key, :path, :text, 'planned', :temporary, :old, :new, :undo)
            """
        ).execute(
          arguments: [
            "change": change, "key": Data(file.key), "path": file.path.data, "text": file.path.displayString,
            "temporary": file.temporary.data, "old": Data(file.oldHash.bytes), "new": Data(file.newHash.bytes),
            "undo": Data(file.undo),
          ])
        let id = db.lastInsertedRowID
        for picture in file.pictures {
          try db.cachedStatement(sql: "INSERT INTO file_change_picture (hash, part_id) VALUES (?, ?)").execute(
            arguments: [Data(picture.bytes), id])
        }
        ids.append(id)
      }
      return ids
    }
  }

  /// Notes that files are about to become what they were; it is on the disk when this returns.
  package func planUndo(_ parts: [(id: Int64, temporary: BytePath)]) throws(StoreError) {
    guard !parts.isEmpty else { return }
    try store.write(.durable) { db in
      for (id, temporary) in parts {
        try db.cachedStatement(sql: "UPDATE file_change_part SET state = 'undoing', temporary = ? WHERE id = ?")
          .execute(arguments: [temporary.data, id])
      }
    }
  }

  /// What became of a file.
  package enum Outcome: Sendable {
    /// It was written, or is what it was; with what a scan would store of it, or nil if a scan has to read it.
    case written(FileRecord?)
    /// It was not touched.
    case untouched
    /// It is neither what it was nor what it should become.
    case foreign
  }

  /// Stores what became of files, together with what is known of their content now.
  package func settle(_ outcomes: [(part: Int64, Outcome)]) throws(StoreError) {
    guard !outcomes.isEmpty else { return }
    try store.write(.batch) { db in
      var writer = ChangeWriter(db, now: store.now)
      for (part, outcome) in outcomes {
        switch outcome {
        case .written(let record):
          if let record { try writer.apply([.extracted(record)]) }
          try db.cachedStatement(
            sql: """
              UPDATE file_change_part SET state = iif(state = 'undoing', 'undone', 'done'), temporary = NULL WHERE id = ?
              """
          ).execute(arguments: [part])
        case .untouched:
          try db.cachedStatement(sql: "DELETE FROM file_change_part WHERE id = ? AND state = 'planned'").execute(
            arguments: [part])
          try db.cachedStatement(
            sql: "UPDATE file_change_part SET state = 'done', temporary = NULL WHERE id = ? AND state = 'undoing'"
          ).execute(arguments: [part])
        case .foreign:
          try db.cachedStatement(sql: "UPDATE file_change_part SET state = 'foreign' WHERE id = ?").execute(
            arguments: [part])
        }
      }
    }
  }

  /// Pictures among these that the library has, and that stay in it as long as a change needs them.
  package func stored(_ pictures: Set<ContentHash>) throws(StoreError) -> Set<ContentHash> {
    try store.read { db in
      try pictures.filter { hash in
        try Bool.fetchOne(
          db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM artwork WHERE hash = ?)"),
          arguments: [Data(hash.bytes)]) == true
      }
    }
  }

  package func picture(_ hash: ContentHash) throws(StoreError) -> [UInt8]? {
    try store.read { db in
      try Data.fetchOne(
        db.cachedStatement(sql: "SELECT bytes FROM artwork WHERE hash = ?"), arguments: [Data(hash.bytes)]
      ).map { Array($0) }
    }
  }

  // MARK: Reading

  /// All changes, the latest first.
  package func all(limit: Int = 100) throws(StoreError) -> [FileChangeSummary] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT file_change.id, summary, made_at, count(part.id), coalesce(sum(part.state = 'done'), 0),
                 coalesce(sum(part.state IN ('planned', 'undoing')), 0), coalesce(sum(part.state = 'foreign'), 0)
            FROM file_change LEFT JOIN file_change_part AS part ON part.change_id = file_change.id
           GROUP BY file_change.id ORDER BY file_change.id DESC LIMIT ?
          """, arguments: [max(0, limit)]
      ).map {
        try FileChangeSummary(
          id: $0[0], summary: $0[1], madeAt: $0[2], fileCount: $0[3], doneCount: $0[4], openCount: $0[5],
          foreignCount: $0[6])
      }
    }
  }

  /// The latest change of which a file can be undone.
  package func latest() throws(StoreError) -> FileChangeSummary? { try all(limit: .max).first { $0.doneCount > 0 } }

  /// The latest change of which a file can be undone, if it came after everything that `undo` could take back.
  package func latestAfterJournal() throws(StoreError) -> FileChangeSummary? {
    guard let latest = try latest() else { return nil }
    let isLast = try store.read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT NOT EXISTS (SELECT 1 FROM change WHERE undone_at IS NULL
                                AND id > (SELECT last_change_id FROM file_change WHERE id = ?))
          """, arguments: [latest.id]) ?? true
    }
    return isLast ? latest : nil
  }

  /// The files of a change that are as it wrote them, by the last that is known.
  package func doneParts(of change: Int64) throws(StoreError) -> [FileChangePart] {
    try parts("change_id = ? AND state = 'done'", [change])
  }

  /// The latest change after another one that wrote a file, too, and is not undone; nil if there is none.
  package func laterChange(than part: FileChangePart) throws(StoreError) -> Int64? {
    try store.read { db in
      try Int64.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT max(change_id) FROM file_change_part
             WHERE state = 'done' AND change_id > ?2 AND file_key = (SELECT file_key FROM file_change_part WHERE id = ?1)
            """), arguments: [part.id, part.changeID])
    }
  }

  /// Files of which it is not known whether they were written, because the process was killed.
  package func openParts() throws(StoreError) -> [FileChangePart] { try parts("state IN ('planned', 'undoing')", []) }

  /// Whether there are some; found through `file_change_part_open`.
  package func hasOpenParts() throws(StoreError) -> Bool {
    try store.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM file_change_part WHERE state IN ('planned', 'undoing'))") ?? false
    }
  }

  private func parts(_ condition: String, _ arguments: StatementArguments) throws(StoreError) -> [FileChangePart] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT id, change_id, state, path, temporary, old_hash, new_hash, undo, file_key
            FROM file_change_part WHERE \(condition) ORDER BY id
          """, arguments: arguments
      ).compactMap { row in
        guard let state = try FileChangePart.State(rawValue: row[2]),
          let old = try ContentHash(bytes: row[5] as Data), let new = try ContentHash(bytes: row[6] as Data)
        else { return nil }
        let path = try BytePath(row[3] as Data)
        return try FileChangePart(
          id: row[0], changeID: row[1], state: state, path: path, temporary: (row[4] as Data?).map { BytePath($0) },
          oldHash: old, newHash: new, undo: Array(row[7] as Data),
          file: file(key: Array(row[8] as Data), path: path, db))
      }
    }
  }

  /// Bytes that all changes take to be undone, without pictures.
  package func undoByteCount() throws(StoreError) -> Int64 {
    try store.read { try Int64.fetchOne($0, sql: "SELECT coalesce(sum(length(undo)), 0) FROM file_change_part") ?? 0 }
  }

  /// Forgets how to take back a change and all before it; the files stay as they are.
  ///
  /// - Returns: the number of changes.
  package func forget(through id: Int64) throws(StoreError) -> Int {
    try store.write(.durable) { db in
      try db.execute(
        sql: """
          DELETE FROM file_change WHERE id <= :id AND NOT EXISTS (
            SELECT 1 FROM file_change_part WHERE change_id = file_change.id AND state IN ('planned', 'undoing'))
          """, arguments: ["id": id])
      let count = db.changesCount
      try db.execute(sql: "DELETE FROM artwork WHERE NOT \(CoverSQL.isNeeded)")
      return count
    }
  }
}
