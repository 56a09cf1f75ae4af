internal import Foundation
internal import LibraryDatabase

// MARK: - What was written into files

extension MergeWriter {
  /// Adds what the other library knows of files that it wrote: their hashes say whether it can be undone here.
  func mergeFileChanges() throws {
    let latest = try Int64.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM change") ?? 0
    for change in try rows.all("SELECT id, summary, made_at FROM file_change ORDER BY id") {
      let other: Int64 = try change[0]
      let known = try first(
        "SELECT id FROM file_change WHERE summary = ? AND made_at = ?", [change[1] as String, change[2] as Int64])
      guard known == nil else { continue }
      try run(
        "INSERT INTO file_change (summary, made_at, last_change_id) VALUES (?, ?, ?)",
        [change[1] as String, change[2] as Int64, latest])
      try mergeParts(of: other, to: db.lastInsertedRowID)
    }
  }

  private func mergeParts(of other: Int64, to change: Int64) throws {
    let columns = try TableColumns(of: "file_change_part", except: ["id", "change_id"], db)
    for row in try rows.all("SELECT id, \(columns.list) FROM file_change_part WHERE change_id = ? ORDER BY id", [other])
    {
      try run(
        "INSERT INTO file_change_part (change_id, \(columns.list)) VALUES (?, \(columns.parameters))",
        StatementArguments([change.databaseValue] + (try columns.values(row, from: 1))))
      let part = db.lastInsertedRowID
      for picture in try rows.all("SELECT hash FROM file_change_picture WHERE part_id = ?", [row[0] as Int64]) {
        let hash: Data = try picture[0]
        try run("INSERT INTO file_change_picture (hash, part_id) VALUES (?, ?)", [hash, part])
        let id: Int64? = try rows.first("SELECT id FROM artwork WHERE hash = ?", [hash])?[0]
        if let id { _ = try pictureID(id) }
      }
    }
  }
}
