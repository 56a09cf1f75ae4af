internal import Foundation
internal import GRDB

extension MergeWriter {
  /// Adds lists. If a list of the same name has other contents here, a number is added to the name.
  func mergeLists() throws {
    for row in try rows.all("SELECT id, name, query, changed_at FROM list ORDER BY id") {
      let name: String = try row[1]
      let entries = try rows.all(
        "SELECT audio_id FROM list_entry WHERE list_id = ? ORDER BY position", [row[0] as Int64]
      ).map { try recordingID($0[0]) }
      var (newName, number) = (name, 1)
      var isKnown = false
      while let known = try MediaStore.listID(newName, db) {
        let own = try Int64.fetchAll(
          db.cachedStatement(sql: "SELECT audio_id FROM list_entry WHERE list_id = ? ORDER BY position"),
          arguments: [known])
        isKnown = try first("SELECT query FROM list WHERE id = ?", [known])?[0] as String? == row[2] && own == entries
        if isKnown { break }
        number += 1
        newName = NumberedName.name(name, number) { $0.utf8.count <= SavedList.maximumNameByteCount }
      }
      if isKnown {
        progress.report.lists.same += 1
        continue
      }
      try run(
        "INSERT INTO list (name, query, changed_at) VALUES (?, ?, ?)", [newName, row[2] as String?, row[3] as Int64])
      let id = db.lastInsertedRowID
      for (position, recording) in entries.enumerated() {
        try run("INSERT INTO list_entry (list_id, position, audio_id) VALUES (?, ?, ?)", [id, position, recording])
      }
      guard number > 1 else {
        progress.report.lists.added += 1
        continue
      }
      progress.report.lists.different += 1
      progress.report.conflicts.append(.list(name, newName: newName))
    }
  }

  /// Adds attributes; those of this library stay.
  func mergeAttributes() throws {
    try rows.forEach("SELECT audio_id, name, value FROM attribute ORDER BY audio_id, name") { row in
      let (id, name, value) = try (recordingID(row[0]), row[1] as String, row[2] as String)
      guard let own: String = try first("SELECT value FROM attribute WHERE audio_id = ? AND name = ?", [id, name])?[0]
      else {
        progress.report.attributes.added += 1
        return try run("INSERT INTO attribute (audio_id, name, value) VALUES (?, ?, ?)", [id, name, value])
      }
      guard own != value else {
        progress.report.attributes.same += 1
        return
      }
      progress.report.attributes.different += 1
      guard let hash = try hash(of: id) else { return }
      progress.report.conflicts.append(
        .attribute(name, of: hash, label: try label(of: id), kept: own, other: value))
    }
  }

  /// The name of a recording, from one of its files.
  private func label(of id: Int64) throws -> String {
    let row = try first(
      """
      SELECT title, artist, name_text FROM file WHERE audio_id = ?
       ORDER BY missing_since IS NOT NULL, root_id, path LIMIT 1
      """, [id])
    guard let row else { return "" }
    guard let title: String = try row[0], !title.isEmpty else { return try row[2] }
    return try [row[1] as String?, title].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " - ")
  }
}
