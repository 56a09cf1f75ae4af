internal import Base
internal import LibraryDatabase
internal import MediaModel
package import MediaStore

extension Lists {
  /// Saves recordings in the given order under a name.
  package func save(_ name: String, recordingIDs: [Int64], replaces: Bool = true) throws {
    try save(name, nil, recordingIDs, replaces)
  }

  /// Saves a query that was checked under a name.
  package func save(_ name: String, checkedQuery query: String, replaces: Bool) throws {
    try save(name, query, [], replaces)
  }

  private func save(_ name: String, _ query: String?, _ recordingIDs: [Int64], _ replaces: Bool) throws {
    try Self.requireName(name)
    try store.edit("save the list \(name)") { editor in
      let known = try Self.listID(name, of: store.personID, editor.db).flatMap { try SavedListRow.fetch($0, editor.db) }
      guard known == nil || replaces else { throw StoreError.listExists(name) }
      if let known {
        for entry in try ListEntryRow.fetchAll(ofList: known.id, editor.db) { try editor.remove(entry) }
      }
      var list =
        try known
        ?? SavedListRow(
          id: SavedListRow.nextID(editor.db), personID: store.personID, name: name, changedAt: store.now,
          createdAt: store.now)
      (list.name, list.query, list.changedAt) = (name, query, store.now)
      try editor.put(list, insteadOf: known)
      _ = try Self.append(recordingIDs, to: list.id, &editor)
    }
  }

  /// Adds recordings to the end of a list of given recordings, in the given order, even if it has them already.
  ///
  /// - Throws: ``StoreError/noSuchList(_:)``, ``StoreError/listIsQuery(_:)``.
  /// - Returns: the number of entries that were added.
  package func add(to name: String, recordingIDs: [Int64]) throws(StoreError) -> Int {
    try store.edit("add to the list \(name)") { editor in
      let list = try ownList(name, &editor, isQueryAllowed: false)
      let count = try Self.append(recordingIDs, to: list.id, &editor)
      if count > 0 { try Self.touch(list, &editor) }
      editor.summary = "add \(count) \(count == 1 ? "entry" : "entries") to the list \(list.name)"
      return count
    }
  }

  /// Gives a list other tracks, or the same in another order.
  ///
  /// Entries without a file are in no result of a query: who sent the tracks may know nothing of them, and they stay at
  /// their places.
  ///
  /// - Throws: ``StoreError/noSuchList(_:)``, ``StoreError/listIsQuery(_:)``.
  package func arrange(_ name: String, recordingIDs: [Int64]) throws(StoreError) {
    try store.edit("save the list \(name)") { editor in
      let list = try ownList(name, &editor, isQueryAllowed: false)
      let hidden = try ListEntryRow.fetchAll(ofList: list.id, editor.db).filter { try !$0.hasFile(editor.db) }
      try Self.arrange(list.id, recordingIDs, keeping: hidden, &editor)
      try Self.touch(list, &editor)
    }
  }

  /// Removes all entries of recordings from a list.
  ///
  /// - Throws: ``StoreError/noSuchList(_:)``, ``StoreError/listIsQuery(_:)``.
  /// - Returns: the number of entries that were removed.
  package func remove(from name: String, recordingIDs: [Int64]) throws(StoreError) -> Int {
    try store.edit("remove from the list \(name)") { editor in
      let list = try ownList(name, &editor, isQueryAllowed: false)
      let removed = Set(try recordingIDs.compactMap { try RecordingKeys.hash(of: $0, editor.db) })
      let entries = try ListEntryRow.fetchAll(ofList: list.id, editor.db).filter { removed.contains($0.recording) }
      for entry in entries { try editor.remove(entry) }
      if !entries.isEmpty { try Self.touch(list, &editor) }
      return entries.count
    }
  }

  /// - Throws: ``StoreError/noSuchList(_:)``, ``StoreError/listExists(_:)``.
  package func rename(_ name: String, to newName: String) throws(StoreError) {
    try Self.requireName(newName)
    try store.edit("rename the list \(name) to \(newName)") { editor in
      let list = try ownList(name, &editor)
      let holder = try Self.listID(newName, of: store.personID, editor.db)
      guard holder == nil || holder == list.id else { throw StoreError.listExists(newName) }
      guard !newName.unicodeScalars.elementsEqual(list.name.unicodeScalars) else { return }
      var renamed = list
      (renamed.name, renamed.changedAt) = (newName, store.now)
      try editor.put(renamed, insteadOf: list)
    }
  }

  /// - Throws: ``StoreError/noSuchList(_:)``.
  package func delete(_ name: String) throws(StoreError) {
    try store.edit("delete the list \(name)") { editor in
      let list = try ownList(name, &editor)
      for entry in try ListEntryRow.fetchAll(ofList: list.id, editor.db) { try editor.remove(entry) }
      try editor.remove(list)
    }
  }

  // MARK: - Within a transaction

  static func requireName(_ name: String) throws(StoreError) {
    guard (1...SavedList.maximumNameByteCount).contains(name.utf8.count) else {
      throw .invalidListName(reason: "must have 1 to \(SavedList.maximumNameByteCount) bytes")
    }
    guard !name.unicodeScalars.contains(where: TerminalText.mustBeEscaped) else {
      throw .invalidListName(reason: "cannot contain control characters")
    }
    guard ArgumentText.isText(name) else { throw .invalidListName(reason: "is UTF-8") }
  }

  private func ownList(
    _ name: String, _ editor: inout JournalEditor, isQueryAllowed: Bool = true
  ) throws -> SavedListRow {
    guard let id = try Self.listID(name, of: store.personID, editor.db),
      let list = try SavedListRow.fetch(id, editor.db)
    else { throw StoreError.noSuchList(name) }
    guard isQueryAllowed || list.query == nil else { throw StoreError.listIsQuery(list.name) }
    return list
  }

  private static func touch(_ list: SavedListRow, _ editor: inout JournalEditor) throws {
    var touched = list
    touched.changedAt = editor.now
    if touched != list { try editor.put(touched, insteadOf: list) }
  }

  /// Replaces the entries of a list by recordings, except for some that stay.
  ///
  /// - Parameter hidden: Entries that the page or a player does not show, because they have no file. They stay at their
  ///   places unless their recordings are given.
  static func arrange(
    _ list: Int64, _ recordingIDs: [Int64], keeping hidden: [ListEntryRow], _ editor: inout JournalEditor
  ) throws {
    var recordings = try recordingIDs.compactMap { try RecordingKeys.hash(of: $0, editor.db) }
    let given = Set(recordings)
    let kept = Set(hidden.filter { !given.contains($0.recording) }.map(\.position))
    for (place, entry) in try ListEntryRow.fetchAll(ofList: list, editor.db).enumerated() {
      if kept.contains(entry.position) { recordings.insert(entry.recording, at: min(place, recordings.count)) }
      try editor.remove(entry)
    }
    for (position, recording) in recordings.enumerated() {
      try editor.put(ListEntryRow(listID: list, position: Int64(position), recording: recording), insteadOf: nil)
    }
  }

  /// - Returns: the number of entries; a recording may have been deleted since it was found.
  package static func append(
    _ recordingIDs: [Int64], to list: Int64, _ editor: inout JournalEditor
  ) throws -> Int {
    let start = try ListEntryRow.endOfList(list, editor.db)
    let recordings = try recordingIDs.compactMap { try RecordingKeys.hash(of: $0, editor.db) }
    for (offset, recording) in recordings.enumerated() {
      try editor.put(
        ListEntryRow(listID: list, position: start + Int64(offset), recording: recording), insteadOf: nil)
    }
    return recordings.count
  }
}
