internal import GRDB
internal import MediaModel

/// Rows of another library on their way into this one, within a transaction.
struct MergeWriter {
  let db: Database
  let rows: SourceRows
  let options: MergeOptions
  let now: Int64
  let progress: MergeProgress
  let audioColumns: TableColumns
  let measureColumns: TableColumns
  let fileColumns: TableColumns

  init(_ db: Database, _ rows: SourceRows, _ options: MergeOptions, _ progress: MergeProgress, now: Int64) throws {
    self.db = db
    self.rows = rows
    self.options = options
    self.progress = progress
    self.now = now
    audioColumns = try TableColumns(of: "audio", except: ["id", "file_count", "present_count"], db)
    measureColumns = try TableColumns(of: "measures", except: ["audio_id"], db)
    fileColumns = try TableColumns(of: "file", except: ["id", "root_id", "path", "audio_id"], db)
  }

  func merge(_ part: MergePart) throws {
    switch part {
    case .recordings(let ids): try mergeRecordings(ids)
    case .roots: try mergeRoots()
    case .files(let ids): try mergeFiles(ids)
    case .decisions:
      try mergeLists()
      try mergeAttributes()
      try mergePresets()
    }
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  func first(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// The id here of a recording there.
  func recordingID(_ id: Int64) throws -> Int64 {
    guard let own = progress.recordingIDs[id] else { throw DatabaseError(message: "a recording was not merged") }
    return own
  }

  /// `NAME (2)`, `NAME (3)`, shortened until it fits.
  static func numbered(_ name: String, _ number: Int, fits: (String) -> Bool) -> String {
    var start = name
    while !start.isEmpty, !fits("\(start) (\(number))") { start.removeLast() }
    return "\(start) (\(number))"
  }
}
