internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryScanning
internal import MediaModel
internal import UserData

/// Writes rows of another library into this one, within a transaction.
struct MergeWriter {
  let db: Database
  let rows: SourceRows
  let options: MergeOptions
  let now: Int64
  let progress: MergeProgress
  /// Gives recordings of this library the better hash of the other one.
  var identities: IdentityWriter
  let recordingColumns: TableColumns
  let streamColumns: TableColumns
  let measureColumns: TableColumns
  let fileColumns: TableColumns

  init(_ db: Database, _ rows: SourceRows, _ options: MergeOptions, _ progress: MergeProgress, now: Int64) throws {
    self.db = db
    self.rows = rows
    self.options = options
    self.progress = progress
    self.now = now
    identities = IdentityWriter(db, now: now)
    recordingColumns = try TableColumns(
      of: "audio", except: ["id", "hash", "basis", "file_count", "present_count"], db)
    streamColumns = try TableColumns(of: "stream", except: ["id", "audio_id"], db)
    measureColumns = try TableColumns(of: "measures", except: ["audio_id"], db)
    fileColumns = try TableColumns(
      of: "file",
      except: [
        "id", "root_id", "path", "audio_id", "stream_id", "album_id", "album_shelf", "album_folder", "album_edition",
        "album_disc", "folder",
      ], db)
  }

  mutating func merge(_ part: MergePart) throws {
    switch part {
    case .recordings(let ids): try mergeRecordings(try copyNewRecordings(ids))
    case .roots:
      try mergeRoots()
      try mergeFolderPictures()
    case .files(let ids): try mergeFiles(try copyNewFiles(ids))
    case .decisions:
      try mergeFormerHashes()
      try mergeDecisions()
      try shareDecisions()
    }
  }

  /// Copies what this library does not know in bulk, if the other one is attached.
  ///
  /// - Parameter ids: In their order.
  /// - Returns: The others.
  private func copyNewRecordings(_ ids: [Int64]) throws -> [Int64] {
    guard let first = ids.first, let last = ids.last, let bulk = try BulkCopy(db, mark: progress.mark) else {
      return ids
    }
    let copied = try bulk.recordings(first...last, of: self)
    progress.recordingIDs.merge(copied.ids) { $1 }
    progress.streamIDs.merge(copied.streamIDs) { $1 }
    progress.report.recordings.added += copied.ids.count
    progress.report.products.added += copied.productCount
    progress.report.damaged += copied.damaged
    return ids.filter { copied.ids[$0] == nil }
  }

  /// The same for files.
  private func copyNewFiles(_ ids: [Int64]) throws -> [Int64] {
    guard let first = ids.first, let last = ids.last, let bulk = try BulkCopy(db, mark: progress.mark) else {
      return ids
    }
    let copied = try bulk.files(first...last, of: self)
    guard !copied.isEmpty else { return ids }
    progress.report.files.added += copied.count
    for id in try bulk.copiedFiles(with: "file_artwork") {
      if let own = copied[id] { try copyPictures(of: id, to: own) }
    }
    for id in try bulk.copiedFiles(with: "part") {
      guard let own = copied[id], let root: Int64 = try rows.first("SELECT root_id FROM file WHERE id = ?", [id])?[0],
        let place = progress.places[root]
      else { continue }
      try copyParts(of: id, to: own, in: place)
    }
    return ids.filter { copied[$0] == nil }
  }

  /// Lets what users decided follow the recordings of this library.
  var decisions: DecisionWriter { DecisionWriter(db, now: now) }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  func first(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// The id in this library of a recording of the other one.
  func recordingID(_ id: Int64) throws -> Int64 {
    guard let own = progress.recordingIDs[id] else { throw DatabaseError(message: "a recording was not merged") }
    return own
  }
}

/// The stored columns of a table, for copying rows of any schema.
struct TableColumns {
  let names: [String]

  /// - Parameter others: columns that have another meaning in another library, or that triggers maintain.
  init(of table: String, except others: Set<String>, _ db: Database) throws {
    names = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", arguments: [table]
    ).filter { !others.contains($0) }
  }

  var list: String { names.joined(separator: ", ") }

  /// A parameter for each column.
  var parameters: String { names.map { _ in "?" }.joined(separator: ", ") }

  var assignments: String { names.map { "\($0) = ?" }.joined(separator: ", ") }

  /// The same for values that may be unknown, and then change nothing.
  var completions: String { names.map { "\($0) = coalesce(?, \($0))" }.joined(separator: ", ") }

  func index(of name: String) -> Int? { names.firstIndex(of: name) }

  /// The values of these columns, which start at `start` in a row.
  func values(_ row: Row, from start: Int) throws -> [DatabaseValue] { try names.indices.map { try row[start + $0] } }
}

extension MergeWriter {
  /// Where the files of a root of the other library belong.
  struct Place {
    var rootID: Int64
    /// The path of the root in this library.
    var rootPath: BytePath
    /// The folder below the root that their paths start from.
    var prefix: BytePath
  }

  /// Adds new roots. A root that lies in another, or contains others, is united with them.
  func mergeRoots() throws {
    var places: [Int64: Place] = [:]
    for row in try rows.all("SELECT id, path, added_at, is_protected FROM root ORDER BY path, id") {
      let place = try place(options.mappings.path(of: BytePath(row[1] as Data)), addedAt: row[2])
      try places[row[0]] = place
      // What is forbidden for a part is forbidden for the whole.
      if try row[3] as Bool {
        try run("UPDATE root SET is_protected = 1 WHERE id = ? AND NOT is_protected", [place.rootID])
      }
    }
    // A later root may have replaced an earlier one.
    let own = try roots()
    for (id, place) in places where !own.contains(where: { $0.id == place.rootID }) {
      let path = place.rootPath.appending(place.prefix)
      guard let root = own.first(where: { path.isBelowOrEqual(to: $0.path) }) else { continue }
      places[id] = Place(rootID: root.id, rootPath: root.path, prefix: path.relative(to: root.path))
    }
    progress.places = places
  }

  private func place(_ path: BytePath, addedAt: Int64) throws -> Place {
    let own = try roots()
    if let root = own.first(where: { path.isBelowOrEqual(to: $0.path) }) {
      progress.report.roots.same += 1
      return Place(rootID: root.id, rootPath: root.path, prefix: path.relative(to: root.path))
    }
    // No volume: that of another machine means nothing here, and the next scan records it.
    try run(
      "INSERT INTO root (path, path_text, volume, added_at) VALUES (?, ?, NULL, ?)",
      [path.data, path.displayString, addedAt])
    let id = db.lastInsertedRowID
    for root in own where root.path.isBelowOrEqual(to: path) {
      try run(
        "UPDATE root SET is_protected = 1 WHERE id = ? AND (SELECT is_protected FROM root WHERE id = ?)", [id, root.id])
      try moveFiles(of: root.id, to: id, below: root.path.relative(to: path))
      try FolderPicture.moveAll(ofRoot: root.id, to: id, below: root.path.relative(to: path), db)
      try run("DELETE FROM root WHERE id = ?", [root.id])
    }
    progress.report.roots.added += 1
    return Place(rootID: id, rootPath: path, prefix: BytePath(""))
  }

  private func roots() throws -> [(id: Int64, path: BytePath)] {
    try Row.fetchAll(db, sql: "SELECT id, path FROM root ORDER BY path, id").map {
      try ($0[0], BytePath($0[1] as Data))
    }
  }

  /// Moves the files of a root to another root, in which it is `folder`.
  private func moveFiles(of rootID: Int64, to other: Int64, below folder: BytePath) throws {
    let ids = try Int64.fetchAll(db, sql: "SELECT id FROM file WHERE root_id = ?", arguments: [rootID])
    for id in ids {
      guard let row = try first("SELECT path, search_more FROM file WHERE id = ?", [id]) else { continue }
      let path = try folder.appending(BytePath(row[0] as Data))
      try run(
        "UPDATE file SET root_id = ?, path = ?, path_text = ?, search_more = ? WHERE id = ?",
        [other, path.data, path.displayString, SearchText.more(row[1], movedTo: path), id])
    }
  }
}
