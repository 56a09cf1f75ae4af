internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

extension MergeWriter {
  /// A file of the other library.
  private struct Incoming {
    var id: Int64
    var place: Place
    /// Relative to the root in this library.
    var path: BytePath
    var recordingID: Int64?
    var streamID: Int64?
    /// The values of ``fileColumns``.
    var values: [DatabaseValue]
  }

  /// Adds files whose paths are new; at other paths this library knows the file better.
  func mergeFiles(_ ids: [Int64]) throws {
    for id in ids {
      let row = try rows.first(
        "SELECT id, root_id, path, audio_id, stream_id, \(fileColumns.list) FROM file WHERE id = ?", [id])
      if let row { try merge(row) }
    }
  }

  private func merge(_ row: Row) throws {
    guard let place = try progress.places[row[1]] else { throw DatabaseError(message: "a root was not merged") }
    let incoming = try Incoming(
      id: row[0], place: place, path: place.prefix.appending(BytePath(row[2] as Data)),
      recordingID: try (row[3] as Int64?).map(recordingID),
      streamID: try (row[4] as Int64?).flatMap { progress.streamIDs[$0] }, values: fileColumns.values(row, from: 5))
    let known = try first(
      """
      SELECT id, audio_id, size_bytes, mtime_ns, added_at, missing_since, ctime_ns, inode, device, key FROM file
      WHERE root_id = ? AND path = ?
      """,
      [place.rootID, incoming.path.data])
    if let known { try join(incoming, to: known) } else { try insert(incoming, id: nil) }
  }

  private func join(_ file: Incoming, to known: Row) throws {
    let id: Int64 = try known[0]
    let ownRecordingID: Int64? = try known[1]
    guard let other = file.recordingID, other != ownRecordingID else {
      progress.report.files.same += 1
      // The earlier date counts: it may come from another program.
      guard let added = value("added_at", of: file).flatMap(Int64.fromDatabaseValue) else { return }
      return try run("UPDATE file SET added_at = ? WHERE id = ? AND added_at > ?", [added, id, added])
    }
    // The same file, which only the other library could decode.
    if try ownRecordingID == nil && value("size_bytes", of: file) == known[2] && value("mtime_ns", of: file) == known[3]
    {
      let added = try min(known[4], value("added_at", of: file).flatMap(Int64.fromDatabaseValue) ?? .max)
      try run("DELETE FROM file WHERE id = ?", [id])
      try insert(file, id: id)
      // The other library cannot know whether the file is present and which numbers it has on this disk.
      return try run(
        "UPDATE file SET added_at = ?, missing_since = ?, ctime_ns = ?, inode = ?, device = ?, key = ? WHERE id = ?",
        [
          added, known[5] as Int64?, known[6] as Int64, known[7] as Int64, known[8] as Int64, known[9] as Data?, id,
        ])
    }
    progress.report.files.different += 1
    guard let otherHash = try hash(of: other) else { return }
    progress.report.conflicts.append(
      .file(
        file.place.rootPath.appending(file.path), kept: try ownRecordingID.flatMap { try hash(of: $0) },
        other: otherHash))
  }

  private func value(_ column: String, of file: Incoming) -> DatabaseValue? {
    fileColumns.index(of: column).map { file.values[$0] }
  }

  func hash(of recordingID: Int64) throws -> ContentHash? {
    try first("SELECT hash FROM audio WHERE id = ?", [recordingID]).flatMap { try ContentHash(bytes: $0[0] as Data) }
  }

  /// - Parameter id: the id of the row that is replaced, or nil.
  private func insert(_ file: Incoming, id: Int64?) throws {
    var values = file.values
    // A device number of another machine would mean any disk here, or none.
    if let device = fileColumns.index(of: "device") {
      values[device] = Int64(bitPattern: FileStatus.unknownDevice).databaseValue
    }
    // A file that was merged before, and moved here since, keeps its key: this one gets another.
    if let key = fileColumns.index(of: "key"),
      try first("SELECT EXISTS (SELECT 1 FROM file WHERE key = ?)", [values[key]])?[0] == true
    {
      values[key] = .null
    }
    if !file.place.prefix.bytes.isEmpty, let text = fileColumns.index(of: "path_text"),
      let more = fileColumns.index(of: "search_more")
    {
      let found = String.fromDatabaseValue(values[more]) ?? ""
      values[text] = file.path.displayString.databaseValue
      values[more] = SearchText.more(found, movedTo: file.path).databaseValue
    }
    try run(
      """
      INSERT INTO file (id, root_id, path, audio_id, stream_id, \(fileColumns.list))
      VALUES (?, ?, ?, ?, ?, \(fileColumns.parameters))
      """,
      StatementArguments(
        [
          id.databaseValue, file.place.rootID.databaseValue, file.path.data.databaseValue,
          file.recordingID.databaseValue, file.streamID.databaseValue,
        ] + values))
    let fileID = db.lastInsertedRowID
    if id == nil { progress.report.files.added += 1 } else { progress.report.files.replaced += 1 }
    try copyTags(of: file.id, to: fileID)
    try copyPictures(of: file.id, to: fileID)
    try copyParts(of: file.id, to: fileID, in: file.place)
  }

  /// Copies parts, and the sheets beside the file that describe them.
  func copyParts(of id: Int64, to fileID: Int64, in place: Place) throws {
    var sheetIDs: [Int64: Int64] = [:]
    let columns = try TableColumns(of: "part", except: ["file_id", "sheet_id"], db)
    for row in try rows.all(
      "SELECT sheet_id, \(columns.list) FROM part WHERE file_id = ? ORDER BY source, position", [id])
    {
      let former: Int64? = try row[0]
      if let former, sheetIDs[former] == nil { sheetIDs[former] = try sheetID(former, in: place) }
      try run(
        "INSERT INTO part (file_id, sheet_id, \(columns.list)) VALUES (?, ?, \(columns.parameters))",
        StatementArguments(
          [fileID.databaseValue, former.flatMap { sheetIDs[$0] }.databaseValue] + (try columns.values(row, from: 1))))
    }
  }

  /// The id in this library of a sheet of the other one.
  private func sheetID(_ id: Int64, in place: Place) throws -> Int64? {
    guard let row = try rows.first("SELECT path, size_bytes, mtime_ns FROM cue_sheet WHERE id = ?", [id]) else {
      return nil
    }
    let path = place.prefix.appending(BytePath(try row[0] as Data))
    try run(
      """
      INSERT INTO cue_sheet (root_id, path, path_text, size_bytes, mtime_ns) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (root_id, path) DO NOTHING
      """, [place.rootID, path.data, path.displayString, row[1] as Int64, row[2] as Int64])
    return try first("SELECT id FROM cue_sheet WHERE root_id = ? AND path = ?", [place.rootID, path.data])?[0]
  }

  private func copyTags(of id: Int64, to fileID: Int64) throws {
    try rows.forEach("SELECT name, position, value FROM file_tag WHERE file_id = ?", [id]) { row in
      try run(
        "INSERT INTO tag_name (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM tag_name WHERE name = ?1)",
        [row[0] as String])
      try run(
        "INSERT INTO tag SELECT ?, id, ?, ? FROM tag_name WHERE name = ?",
        [fileID, row[1] as Int, row[2] as String, row[0] as String])
    }
    try rows.forEach("SELECT field, tags, state FROM own_tag WHERE file_id = ?", [id]) { row in
      try run(
        "INSERT INTO own_tag (file_id, field, tags, state) VALUES (?, ?, ?, ?)",
        [fileID, row[0] as String, row[1] as String, row[2] as String])
    }
  }

  func copyPictures(of id: Int64, to fileID: Int64) throws {
    let pictures = try rows.all(
      "SELECT position, artwork_id, picture_type, caption FROM file_artwork WHERE file_id = ? ORDER BY position", [id])
    for picture in pictures {
      guard let artworkID = try pictureID(picture[1]) else { continue }
      try run(
        "INSERT INTO file_artwork (file_id, position, artwork_id, picture_type, caption) VALUES (?, ?, ?, ?, ?)",
        [fileID, picture[0] as Int, artworkID, picture[2] as Int, picture[3] as String])
    }
  }

  /// The id in this library of a picture of the other one.
  func pictureID(_ id: Int64) throws -> Int64? {
    if let known = progress.pictureIDs[id] { return known }
    guard let hash: Data = try rows.first("SELECT hash FROM artwork WHERE id = ?", [id])?[0] else { return nil }
    if let known: Int64 = try first("SELECT id FROM artwork WHERE hash = ?", [hash])?[0] {
      progress.report.pictures.same += 1
      progress.pictureIDs[id] = known
      return known
    }
    guard let row = try rows.first("SELECT mime_type, bytes, is_shown FROM artwork WHERE id = ?", [id]) else {
      return nil
    }
    try run(
      "INSERT INTO artwork (hash, mime_type, bytes, is_shown) VALUES (?, ?, ?, ?)",
      [hash, row[0] as String, options.isDryRun ? Data() : row[1] as Data, row[2] as Bool])
    progress.report.pictures.added += 1
    progress.pictureIDs[id] = db.lastInsertedRowID
    return db.lastInsertedRowID
  }
}
