internal import Base
internal import LibraryDatabase
internal import LibraryQueries
internal import MediaModel
internal import MediaStore
internal import UserData

extension MergeWriter {
  /// Adds presets and their assignments; those of this library stay.
  ///
  /// - Parameter albumNames: See ``albumNames()``.
  func mergePresets(_ albumNames: [AlbumNames: AlbumNames], _ editor: inout JournalEditor) throws {
    let ids = try mergePresetRows(&editor)
    try mergeAssignments(presetIDs: ids, albumNames, &editor)
  }

  /// - Returns: the ids in this library, by those in the other one.
  private func mergePresetRows(_ editor: inout JournalEditor) throws -> [Int64: Int64] {
    var ids: [Int64: Int64] = [:]
    for row in try rows.all("SELECT \(PresetRow.columns) FROM preset ORDER BY id").map(PresetRow.init(row:)) {
      var (name, number) = (row.name, 1)
      var known = try preset(named: name)
      // A preset of the program may be assigned here, and would be hidden.
      while known.map({ Self.content($0) != Self.content(row) }) ?? Self.isBuiltIn(name) {
        number += 1
        name = NumberedName.name(row.name, number) { (try? PresetName($0)) != nil }
        known = try preset(named: name)
      }
      if let known {
        ids[row.id] = known.id
        progress.report.presets.same += 1
        continue
      }
      let last: Int64? = try first("SELECT max(seq) FROM sqlite_sequence WHERE name = 'preset'", [])?[0]
      var new = row
      new.id = (last ?? 0) + 1
      new.name = name
      try editor.put(new, insteadOf: nil)
      ids[row.id] = new.id
      guard number > 1 else {
        progress.report.presets.added += 1
        continue
      }
      progress.report.presets.different += 1
      progress.report.conflicts.append(.preset(row.name, newName: name))
    }
    return ids
  }

  /// The content of a preset without the name in its document, which is never read.
  private static func content(_ row: PresetRow) -> JSONValue {
    guard case .object(let members)? = try? JSONValue(parsing: Array(row.document.utf8)) else {
      return .string(row.document)
    }
    return .object(members.filter { $0.key != "name" })
  }

  private func preset(named name: String) throws -> PresetRow? {
    try first("SELECT \(PresetRow.columns) FROM preset WHERE name_key = ?", [PresetRow.key(name)])
      .map(PresetRow.init(row:))
  }

  private static func isBuiltIn(_ name: String) -> Bool {
    guard let name = try? PresetName(name) else { return false }
    return Preset.builtIn.contains { $0.name == name }
  }

  /// Adds assignments for subjects that have none; those of this library stay.
  private func mergeAssignments(
    presetIDs: [Int64: Int64], _ albumNames: [AlbumNames: AlbumNames], _ editor: inout JournalEditor
  ) throws {
    try rows.forEach("SELECT * FROM preset_assignment") { row in
      guard var incoming = try AssignmentRow(row: row) else { return }
      if let hash = incoming.subject.recording, let current = try FormerHashes.current(of: hash, db).first {
        incoming.subject = incoming.subject.with(recording: current)
      }
      if case .album(let title, let artist) = incoming.subject,
        let names = albumNames[AlbumNames(artist: artist, title: title)]
      {
        incoming.subject = .album(names.title, artist: names.artist)
      }
      incoming.key.personID = try personID(incoming.key.personID)
      incoming.presetID = incoming.presetID.flatMap { presetIDs[$0] }
      guard let own = try AssignmentRow.fetch(incoming.key, db) else {
        progress.report.assignments.added += 1
        return try editor.put(incoming, insteadOf: nil)
      }
      guard own.presetID != incoming.presetID || own.builtIn != incoming.builtIn || own.isOn != incoming.isOn else {
        progress.report.assignments.same += 1
        return
      }
      progress.report.assignments.different += 1
      progress.report.conflicts.append(
        .assignment(try incoming.subject.shown(db), kept: try text(of: own), other: try text(of: incoming)))
    }
  }

  private func text(of row: AssignmentRow) throws -> String {
    let own = try row.presetID.flatMap { try first("SELECT name FROM preset WHERE id = ?", [$0]) }
    let name: String? = try own?[0] ?? row.builtIn
    return [name, row.isOn ? nil : "off"].compactMap { $0 }.joined(separator: ", ")
  }
}
