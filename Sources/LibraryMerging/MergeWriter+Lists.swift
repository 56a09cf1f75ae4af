internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

extension MergeWriter {
  /// Adds lists. If a list of the same name and person has other contents here, a number is added to the name.
  func mergeLists(keepingIDs keepsIDs: Bool, _ editor: inout JournalEditor) throws {
    let lists = try rows.all("SELECT \(SavedListRow.columns) FROM list ORDER BY id")
    for list in try lists.map(SavedListRow.init(row:)) {
      let entries = try rows.all(
        "SELECT audio_id, position FROM list_entry WHERE list_id = ? ORDER BY position", [list.id])
      let recordings = try entries.compactMap { try hash(of: recordingID($0[0])) }
      var (new, number) = (list, 1)
      new.personID = try personID(list.personID)
      var isKnown = false
      while let known = try Lists.listID(new.name, of: new.personID, db) {
        let own = try ListEntryRow.fetchAll(ofList: known, db).map(\.recording)
        isKnown = try SavedListRow.fetch(known, db)?.query == list.query && own == recordings
        if isKnown { break }
        number += 1
        new.name = NumberedName.name(list.name, number) { $0.utf8.count <= SavedList.maximumNameByteCount }
      }
      if isKnown {
        progress.report.lists.same += 1
        continue
      }
      if !keepsIDs { new.id = try SavedListRow.nextID(db) }
      try editor.put(new, insteadOf: nil)
      for (entry, recording) in zip(entries, recordings) {
        try editor.put(ListEntryRow(listID: new.id, position: entry[1], recording: recording), insteadOf: nil)
      }
      guard number > 1 else {
        progress.report.lists.added += 1
        continue
      }
      progress.report.lists.different += 1
      progress.report.conflicts.append(.list(list.name, newName: new.name))
    }
  }

  /// Adds attributes; those of this library stay.
  func mergeAttributes(_ editor: inout JournalEditor) throws {
    try rows.forEach("SELECT audio_id, person_id, name, value FROM attribute ORDER BY audio_id, name, person_id") {
      row in
      let id = try recordingID(row[0])
      guard let hash = try hash(of: id) else { return }
      let other = try AttributeRow(personID: personID(row[1]), recording: hash, name: row[2], value: row[3])
      guard let own = try AttributeRow.fetch(other.name, of: hash, by: other.personID, db) else {
        progress.report.attributes.added += 1
        return try editor.put(other, insteadOf: nil)
      }
      guard own != other else {
        progress.report.attributes.same += 1
        return
      }
      progress.report.attributes.different += 1
      progress.report.conflicts.append(
        .attribute(other.name, of: hash, label: try label(of: id), kept: own.value, other: other.value))
    }
  }

  /// Adds what persons say about albums and artists; what this library has stays.
  ///
  /// - Parameter albumNames: See ``albumNames()``.
  func mergeGroupAttributes(_ albumNames: [AlbumNames: AlbumNames], _ editor: inout JournalEditor) throws {
    for row in try rows.all(
      "SELECT \(GroupAttributeRow.columns) FROM group_attribute ORDER BY scope, artist, album, name")
    {
      var other = try GroupAttributeRow(row: row)
      other.personID = try personID(other.personID)
      if case .album(let title, let artist) = other.group,
        let names = albumNames[AlbumNames(artist: artist, title: title)]
      {
        other.group = .album(names.title, artist: names.artist)
      }
      guard let own = try other.stored(db) else {
        progress.report.attributes.added += 1
        try editor.put(other, insteadOf: nil)
        if other.name == GroupAttributeRow.coverName, let hash = ContentHash(hexadecimal: other.value) {
          try mergeChosenCover(hash)
        }
        continue
      }
      guard own != other else {
        progress.report.attributes.same += 1
        continue
      }
      progress.report.attributes.different += 1
      progress.report.conflicts.append(
        .groupAttribute(other.name, of: try other.subject(db), kept: own.value, other: other.value))
    }
  }

  /// Adds the queues of persons who have none here.
  func mergeQueues() throws {
    let columns = try TableColumns(of: UserTable.playQueue.rawValue, except: ["person_id"], db)
    let own = Set(try Int64.fetchAll(db, sql: "SELECT person_id FROM play_queue"))
    for row in try rows.all("SELECT person_id, \(columns.list) FROM play_queue ORDER BY person_id") {
      let person = try personID(row[0])
      guard !own.contains(person) else { continue }
      try run(
        "INSERT OR IGNORE INTO play_queue (person_id, \(columns.list)) VALUES (?, \(columns.parameters))",
        StatementArguments([person.databaseValue] + (try columns.values(row, from: 1))))
    }
  }

  /// Adds what was heard; the same start of the same recording is the same play.
  func mergePlays() throws {
    try rows.forEach("SELECT hash, person_id, started_at, seconds, is_finished FROM play ORDER BY started_at, hash") {
      row in
      try run(
        "INSERT OR IGNORE INTO play (hash, person_id, started_at, seconds, is_finished) VALUES (?, ?, ?, ?, ?)",
        [row[0] as Data, personID(row[1]), row[2] as Int64, row[3] as Double, row[4] as Bool])
      if db.changesCount > 0 { progress.report.plays.added += 1 } else { progress.report.plays.same += 1 }
    }
  }

  func personID(_ id: Int64) throws -> Int64 {
    guard let own = progress.personIDs[id] else { throw DatabaseError(message: "a person was not merged") }
    return own
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
